import { expect, test } from 'bun:test'
import { outputOf } from '../support/ledger-answers.ts'
import { aStage } from '../support/scripted-agent.ts'
import { done } from './finished-tasks.ts'

test('gza diff shows what a branch changes, and what it changed once it has landed', () => {
  const stage = done(['one', 'two'], { one: 'commit a.txt 1; commit a.txt 2', two: 'commit b.txt 1' })
  const before = outputOf(stage.gza('diff', '1'))
  expect(before).toContain('+++ b/a.txt\n@@ -0,0 +1 @@\n+2\n')
  stage.commit('meanwhile', { 'other.txt': 'x' })
  expect(outputOf(stage.gza('diff', '1'))).toBe(before)
  outputOf(stage.gza('merge', '2', '1', '--cherry-pick'))
  expect(outputOf(stage.gza('diff', '1'))).toBe(before)
  expect(outputOf(stage.gza('diff', '2', '--stat'))).toBe(' b.txt | 1 +\n 1 file changed, 1 insertion(+)\n')
  expect(JSON.parse(outputOf(stage.gza('diff', '2', '--json')))).toMatchObject({ number: 2, landed: true })
})

test('the diff of a task that was done on the base, and of one that was not done', () => {
  const stage = aStage({})
  stage.add('by hand')
  expect(stage.gza('diff', '1')).toMatchObject({ code: 1, stdout: '' })
  stage.commit('By hand', { 'h.txt': 'x\n' })
  outputOf(stage.gza('done', '1'))
  expect(outputOf(stage.gza('diff', '1', '--stat'))).toContain('h.txt')
})

test('whatever a person has configured for his eyes, git can apply it', () => {
  const stage = done(['one'], { one: "printf 'a\\0b' >bin; git add bin; git commit -qm bin; commit a.txt 1" })
  const plain = outputOf(stage.gza('diff', '1'))
  for (const [key, value] of Object.entries({
    noprefix: 'true',
    external: 'false',
    submodule: 'log',
    colorMoved: 'zebra',
  }))
    stage.git('config', `diff.${key}`, value)
  stage.git('config', 'color.ui', 'always')
  expect(outputOf(stage.gza('diff', '1'))).toBe(plain)
  expect(stage.run(['git', 'apply', '--check'], { stdin: plain }).code).toBe(0)
})
