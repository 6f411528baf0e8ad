import { expect, test } from 'bun:test'
import { aStage } from '../support/scripted-agent.ts'

test('a prompt of the project’s own is used once it is trusted, and until then named', () => {
  const stage = aStage({}, { env: { GZA_TRUST: undefined } })
  expect(stage.gza('trust').code).toBe(0)
  stage.write('.gza/prompts/task.md', 'Our way, on {branch}:\n\n{task}\n{criteria}\n')
  const work = (title: string): string => stage.gza('work', stage.add(title)).stdout
  expect(work('one')).toStartWith(
    '.gza/prompts/task.md is not trusted, and not used: gza trust\nRunning task #1: one\n',
  )
  expect(stage.gza('trust').code).toBe(0)
  expect(work('two')).toStartWith('Running task #2: two\n')
  const [first, second] = stage.calls()
  expect(first?.prompt).toStartWith('You are working on task')
  const { id, branch } = stage.task('2')
  const data = `--- BEGIN task ${id}, filed by Test ---\ntwo\n--- END task ${id}, filed by Test ---`
  expect(second?.prompt.trim()).toBe(`Our way, on ${branch}:\n\n${data}`)
})
