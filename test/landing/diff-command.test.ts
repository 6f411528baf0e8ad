import { expect, test } from 'bun:test'
import { outputOf } from '../support/ledger-answers.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { done } from './finished-tasks.ts'

test('gza diff shows what a branch changes, and what it changed once it has landed', () => {
  const repo = done(['one', 'two'], { one: 'commit a.txt 1; commit a.txt 2', two: 'commit b.txt 1' })
  const before = outputOf(repo.gza('diff', '1'))
  expect(before).toContain('+++ b/a.txt\n@@ -0,0 +1 @@\n+2\n')
  repo.commit('meanwhile', { 'other.txt': 'x' })
  expect(outputOf(repo.gza('diff', '1'))).toBe(before)
  outputOf(repo.gza('merge', '2', '1', '--cherry-pick'))
  expect(outputOf(repo.gza('diff', '1'))).toBe(before)
  expect(outputOf(repo.gza('diff', '2', '--stat'))).toBe(' b.txt | 1 +\n 1 file changed, 1 insertion(+)\n')
  expect(JSON.parse(outputOf(repo.gza('diff', '2', '--json')))).toMatchObject({ number: 2, landed: true })
})

test('the diff of a task that was done on the base, and of one that was not done', () => {
  const repo = anAgentRepo({})
  repo.add('by hand')
  expect(repo.gza('diff', '1')).toMatchObject({ code: 1, stdout: '' })
  repo.commit('By hand', { 'h.txt': 'x\n' })
  outputOf(repo.gza('done', '1'))
  expect(outputOf(repo.gza('diff', '1', '--stat'))).toContain('h.txt')
})

test('whatever a person has configured for his eyes, git can apply it', () => {
  const repo = done(['one'], { one: "printf 'a\\0b' >bin; git add bin; git commit -qm bin; commit a.txt 1" })
  const plain = outputOf(repo.gza('diff', '1'))
  for (const [key, value] of Object.entries({
    noprefix: 'true',
    external: 'false',
    submodule: 'log',
    colorMoved: 'zebra',
  }))
    repo.git('config', `diff.${key}`, value)
  repo.git('config', 'color.ui', 'always')
  expect(outputOf(repo.gza('diff', '1'))).toBe(plain)
  expect(repo.run(['git', 'apply', '--check'], { stdin: plain }).code).toBe(0)
})
