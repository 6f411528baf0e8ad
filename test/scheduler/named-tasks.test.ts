import { expect, test } from 'bun:test'
import { aStage } from '../support/scripted-agent.ts'

test('a branch with a slash does not take the name of a task’s branch, nor the other way round', () => {
  const stage = aStage({ else: 'commit "$title.txt" x' })
  stage.add('one')
  const date = stage.task('1').created_at.slice(0, 10).replaceAll('-', '')
  stage.git('branch', `${date}-one/sub`)
  expect(stage.gza('work', '1').code).toBe(0)
  expect(stage.task('1')).toMatchObject({ status: 'completed', branch: `${date}-one-2` })
  stage.git('branch', 'theirs')
  stage.run(['gza', 'import', '-'], { stdin: JSON.stringify({ content: 'two', branch: 'theirs/two' }) })
  const why = `${stage.task('2').id} has the branch theirs/two, which git cannot make beside theirs; git branch -m theirs NEW-NAME makes room for it`
  const refused = stage.gza('work', '2')
  expect([refused.code, refused.stdout]).toEqual([1, `Task #2 cannot start: ${why}\n`])
  expect(stage.gza('why', '2').stdout).toBe(`#2 BRANCH_IN_THE_WAY: ${why}\n`)
  expect(stage.task('2')).toMatchObject({ status: 'pending', runs: [] })
  stage.git('branch', '-m', 'theirs', 'other')
  expect(stage.gza('work', '2').code).toBe(0)
})

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
