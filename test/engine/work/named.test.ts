import { expect, test } from 'bun:test'
import { aStage } from '../../support/scripted-agent.ts'

test('of the tasks that were named those that cannot start hold up no other, and the exit code tells', () => {
  const stage = aStage({})
  for (const title of ['done', 'waiting', 'free', 'held']) stage.add(title)
  stage.gza('done', '1')
  stage.gza('edit', '2', '--after', '4')
  const { code, stdout } = stage.gza('work', '1', '2', '3')
  expect(code).toBe(1)
  expect(stdout).toContain('Task #1 cannot start: Task #1 is completed')
  expect(stdout).toContain('Task #2 cannot start: Task #2 is blocked by task #4 (pending)')
  expect(stage.calls().map(({ title }) => title)).toEqual(['free'])
  expect(stage.statuses()).toMatchObject({ waiting: 'blocked', free: 'completed', held: 'pending' })
})

test('with --json they are told apart', () => {
  const stage = aStage({})
  stage.add('done')
  stage.add('free')
  stage.gza('done', '1')
  const { code, stdout } = stage.gza('work', '1', '2', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    completed: [{ number: 2 }],
    refused: [{ number: 1, code: 'TASK_CLOSED', message: 'Task #1 is completed' }],
  })
})

test('where none of them can start that is an error, and nothing runs', () => {
  const stage = aStage({})
  stage.add('one')
  stage.add('two', '--after', '1')
  stage.add('three', '--after', '1')
  expect(stage.gza('work', '2', '3')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Error: Task #2 is blocked by task #1 (pending)'),
  })
  expect(stage.calls()).toEqual([])
})

test('a name that no task has stops all of it before anything runs', () => {
  const stage = aStage({})
  stage.add('one')
  expect(stage.gza('work', '1', '99').code).toBe(1)
  expect(stage.calls()).toEqual([])
})
