import { expect, test } from 'bun:test'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import { BUILT_IN } from '../config/built-in.ts'
import type { Run, Task } from '../task/task.ts'
import { expectDuration, recordDurations } from './durations.ts'

const limits = BUILT_IN.task_size_limits

function ran(type: Task['type'], agent: string, ...minutes: number[]): Task {
  const runs = minutes.map(
    (length): Run => ({
      run: 'r',
      attempt: 1,
      machine: 'm',
      agent,
      started_at: '2026-01-02T10:00:00Z',
      ended_at: `2026-01-02T10:0${length}:00Z`,
    }),
  )
  return aTask({ type, runs, status: 'completed' })
}

test('a task takes the median of those of its type and agent, all attempts counted; otherwise of its type', () => {
  const recorded = recordDurations([
    ran('implement', 'claude', 1),
    ran('implement', 'claude', 2, 5),
    ran('implement', 'claude', 3),
    ran('implement', 'codex', 9),
    { ...ran('plan', 'claude', 9), status: 'failed' },
    ran('review', 'claude'),
  ])
  const expected = (type: Task['type'], agent: string) => expectDuration(aTask({ type }), agent, recorded, limits)
  expect(expected('implement', 'claude')).toEqual({ seconds: 180, basis: 'recorded' })
  expect(expected('implement', 'gemini')).toEqual({ seconds: 300, basis: 'recorded' })
  expect(expected('plan', 'claude').basis).toBe('estimated')
  expect(expected('review', 'claude').basis).toBe('estimated')
})

test('without any, its stated size decides, otherwise its score, as a share of max_time_minutes', () => {
  const minutes = (task: Task) => expectDuration(task, 'claude', new Map(), limits).seconds / 60
  expect(minutes(aTask({ estimated_complexity: 'high' }))).toBe(10)
  expect(minutes(aTask({ content: 'Rename it', acceptance_criteria: ['it is renamed'] }))).toBe(2.5)
  const files = Array.from({ length: 9 }, (_, at) => `src/${at}/api/database-${at}.ts`)
  expect(minutes(aTask({ content: 'Distributed lock with async migration', files_to_modify: files }))).toBeGreaterThan(
    5,
  )
})
