import { expect, test } from 'bun:test'
import { anAgentRepo } from '../support/scripted-agent.ts'

test('a prompt of the project’s own is used once it is trusted, and until then named', () => {
  const repo = anAgentRepo({}, { env: { GZA_TRUST: undefined } })
  expect(repo.gza('trust').code).toBe(0)
  repo.write('.gza/prompts/task.md', 'Our way, on {branch}:\n\n{task}\n{criteria}\n')
  const work = (title: string): string => repo.gza('work', repo.add(title)).stdout
  expect(work('one')).toStartWith(
    '.gza/prompts/task.md is not trusted and is ignored: gza trust\nRunning task #1: one\n',
  )
  expect(repo.gza('trust').code).toBe(0)
  expect(work('two')).toStartWith('Running task #2: two\n')
  const [first, second] = repo.calls()
  expect(first?.prompt).toStartWith('You are working on task')
  const { id, branch } = repo.task('2')
  const data = `--- BEGIN task ${id}, filed by Test ---\ntwo\n--- END task ${id}, filed by Test ---`
  expect(second?.prompt.trim()).toBe(`Our way, on ${branch}:\n\n${data}`)
})
