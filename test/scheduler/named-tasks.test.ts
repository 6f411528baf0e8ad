import { expect, test } from 'bun:test'
import { anAgentRepo } from '../support/scripted-agent.ts'

test('a branch with a slash does not take the name of a task’s branch, and a task’s branch does not take that of one with a slash', () => {
  const repo = anAgentRepo({ else: 'commit "$title.txt" x' })
  repo.add('one')
  const date = repo.task('1').created_at.slice(0, 10).replaceAll('-', '')
  repo.git('branch', `${date}-one/sub`)
  expect(repo.gza('work', '1').code).toBe(0)
  expect(repo.task('1')).toMatchObject({ status: 'completed', branch: `${date}-one-2` })
  repo.git('branch', 'theirs')
  repo.run(['gza', 'import', '-'], { stdin: JSON.stringify({ content: 'two', branch: 'theirs/two' }) })
  const why = `${repo.task('2').id} has the branch theirs/two, which git cannot create while theirs exists; git branch -m theirs NEW-NAME makes room for it`
  const refused = repo.gza('work', '2')
  expect([refused.code, refused.stdout]).toEqual([1, `Task #2 cannot start: ${why}\n  gza work ${repo.task('2').id}\n`])
  expect(repo.gza('why', '2').stdout).toBe(`#2 BRANCH_IN_THE_WAY: ${why}\n`)
  expect(repo.task('2')).toMatchObject({ status: 'pending', runs: [] })
  repo.git('branch', '-m', 'theirs', 'other')
  expect(repo.gza('work', '2').code).toBe(0)
})

test('named tasks that cannot start hold up no other, and the exit code shows it', () => {
  const repo = anAgentRepo({})
  for (const title of ['done', 'waiting', 'free', 'held']) repo.add(title)
  repo.gza('done', '1')
  repo.gza('edit', '2', '--after', '4')
  const { code, stdout } = repo.gza('work', '1', '2', '3')
  expect(code).toBe(1)
  expect(stdout).toContain('Task #1 cannot start: Task #1 is completed')
  expect(stdout).toContain('Task #2 cannot start: Task #2 is blocked by task #4 (pending)')
  expect(repo.calls().map(({ title }) => title)).toEqual(['free'])
  expect(repo.statuses()).toMatchObject({ waiting: 'blocked', free: 'completed', held: 'pending' })
})

test('with --json they are listed apart', () => {
  const repo = anAgentRepo({})
  repo.add('done')
  repo.add('free')
  repo.gza('done', '1')
  const { code, stdout } = repo.gza('work', '1', '2', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    completed: [{ number: 2 }],
    refused: [{ number: 1, code: 'TASK_CLOSED', detail: 'Task #1 is completed' }],
  })
})

test('where none of them can start that is an error, and nothing runs', () => {
  const repo = anAgentRepo({})
  repo.add('one')
  repo.add('two', '--after', '1')
  repo.add('three', '--after', '1')
  expect(repo.gza('work', '2', '3')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Error: Task #2 is blocked by task #1 (pending)'),
  })
  expect(repo.calls()).toEqual([])
})

test('a name that no task has stops all of it before anything runs', () => {
  const repo = anAgentRepo({})
  repo.add('one')
  expect(repo.gza('work', '1', '99').code).toBe(1)
  expect(repo.calls()).toEqual([])
})
