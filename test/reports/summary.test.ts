import { expect, test } from 'bun:test'
import { aGatedRepo } from '../live-output/gated-agent.ts'
import type { Repo } from '../support/repo.ts'
import { until } from '../support/until.ts'

/** Ten tasks with keys: seven are completed and one has failed. */
function tenTasks(): Repo {
  const repo = aGatedRepo('exit 1')
  for (let at = 1; at <= 10; at++)
    repo.gza('add', `Part ${at}`, '--key', `T${at}`, '--milestone', at < 4 ? 'M2' : 'M10', '--max-attempts', '1')
  repo.gza('edit', '10', '--after', 'T9')
  repo.gza('done', ...['1', '2', '3', '4', '5', '6'])
  repo.gza('resolve', '7', '--skip')
  repo.gza('work', '8')
  return repo
}

test('summary has these fields', () => {
  const completed = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7']
  const { state, ...summary } = JSON.parse(tenTasks().gza('summary', '--json').stdout)
  const { tasks, ...ids } = state
  expect(ids).toEqual({
    milestones: summary.milestones,
    current_task_id: null,
    current_task_ids: [],
    completed_task_ids: completed,
    failed_task_ids: ['T8'],
    in_flight_task_ids: [],
  })
  expect(tasks).toHaveLength(10)
  expect([tasks[7].status, tasks[7].error]).toEqual(['failed', expect.stringMatching(/^agent-error/)])
  expect(tasks[9]).toEqual({
    id: 'T10',
    title: 'Part 10',
    user_story: '',
    acceptance_criteria: [],
    files_to_create: [],
    files_to_modify: [],
    test_files: [],
    dependencies: ['T9'],
    milestone_id: 'M10',
    status: 'blocked',
    priority: 'medium',
    estimated_complexity: 'low',
    attempts: 0,
    max_attempts: 1,
    implementation_notes: '',
    error: null,
    linear_issue_id: null,
  })
  expect(summary).toEqual({
    total: 10,
    pending: ['T9', 'T10'],
    in_progress: [],
    completed,
    failed: ['T8'],
    blocked: ['T10'],
    skipped: ['T7'],
    current_task_id: null,
    current_task_ids: [],
    in_flight_task_ids: [],
    completed_task_ids: completed,
    failed_task_ids: ['T8'],
    unverified: [],
    progress: '70%',
    tasks: { total: 10, completed: 7, pending: 2, in_progress: 0, failed: 1, progress: '70%' },
    milestones: [
      { id: 'M2', name: 'M2', description: '', task_ids: ['T1', 'T2', 'T3'], status: 'completed' },
      {
        id: 'M10',
        name: 'M10',
        description: '',
        task_ids: ['T4', 'T5', 'T6', 'T7', 'T8', 'T9', 'T10'],
        status: 'failed',
      },
    ],
  })
})

test('a task with parts is not counted, only its parts are, and tasks that depend on it find it completed', () => {
  const repo = aGatedRepo('commit')
  const files = ['--files-to-create', 'src/models/a.ts,src/views/a.ts', '--milestone', 'M1']
  repo.gza('add', 'Discounts', '--key', 'T1', ...files, '--max-attempts', '2')
  repo.gza('split', 'T1', '--strategy', 'files')
  repo.gza('done', 'T1-a')
  const half = JSON.parse(repo.gza('summary', '--json').stdout)
  expect([half.tasks, half.completed, half.pending, half.milestones[0].task_ids, half.state.tasks.length]).toEqual([
    { total: 2, completed: 1, pending: 1, in_progress: 0, failed: 0, progress: '50%' },
    ...[['T1-a'], ['T1-b'], ['T1-a', 'T1-b'], 3],
  ])
  expect(repo.gza('milestones').stdout).toBe('M1  in_progress  ██████████░░░░░░░░░░   50%  1/2\n')
  repo.gza('done', 'T1-b')
  const { completed_task_ids, progress, state } = JSON.parse(repo.gza('summary', '--json').stdout)
  expect([completed_task_ids, progress]).toEqual([['T1', 'T1-a', 'T1-b'], '100%'])
  expect(state.tasks[1]).toMatchObject({ max_attempts: 2, estimated_complexity: 'low' })
  repo.gza('add', 'More')
  expect(JSON.parse(repo.gza('summary', '--json').stdout).state.tasks[3].max_attempts).toBe(3)
})

test('summary reads as counts, with the tasks by name, and the milestones in their order', () => {
  const repo = tenTasks()
  const text = `10 tasks, 70% completed
  completed       7  T1, T2, T3, T4, T5, T6, T7
  pending         2  T9, T10
  failed          1  T8
M2   completed    3/3
M10  failed       4/7
`
  expect(repo.gza('summary')).toEqual({ code: 0, stdout: text, stderr: '' })
  expect(repo.tasks('summary')).toEqual({ code: 0, stdout: text, stderr: '' })
})

test('a task that is worked on is current and in flight', async () => {
  const repo = aGatedRepo('echo here; echo sign >early.txt; gate; commit')
  repo.gza('add', 'Write the parser', '--key', 'T1')
  repo.gza('add', 'Write the lexer', '--key', 'T2')
  const work = repo.start(['gza', 'work', '--all', '--workers', '2'])
  await until(() => (repo.gza('ps').stdout.match(/here/g) ?? []).length === 2)
  const { current_task_id, current_task_ids, in_flight_task_ids, in_progress, tasks } = JSON.parse(
    repo.gza('summary', '--json').stdout,
  )
  repo.openGate()
  await work
  expect({ current_task_id, current_task_ids, in_flight_task_ids, in_progress, tasks }).toEqual({
    current_task_id: 'T1',
    current_task_ids: ['T1', 'T2'],
    in_flight_task_ids: ['T1', 'T2'],
    in_progress: ['T1', 'T2'],
    tasks: { total: 2, completed: 0, pending: 0, in_progress: 2, failed: 0, progress: '0%' },
  })
})

test('the summary of an empty ledger is not an error', () => {
  const repo = aGatedRepo('commit')
  expect(repo.gza('summary')).toEqual({ code: 0, stdout: '0 tasks, 0% completed\n', stderr: '' })
})
