import { expect, test } from 'bun:test'
import type { Phase, Run } from '../task/task.ts'
import { totalWork } from './work-totals.ts'

const aRun = (run: string, minute: number, end: Partial<Run> = {}): Run => ({
  ...{ run, attempt: 1, machine: 'box', started_at: `2026-03-02T10:${minute}:00Z` },
  ...{ ended_at: `2026-03-02T10:${minute + 1}:00Z`, outcome: 'completed', ...end },
})
const reviewed = (run: string, phase: Phase['phase']): Phase => ({
  ...{ run, generation: 1, phase, cycle: 1, at: '2026-03-02T10:00:00Z', head: 'a' },
})

test('a first try counts if it completed the task and no other run followed', () => {
  const first = aRun('a1', 10)
  const failed = aRun('b1', 20, { outcome: 'failed' })
  const again = aRun('b2', 30)
  const sentBack = aRun('c1', 40)
  const later = aRun('c2', 50)
  const one = { uid: 'a', runs: [first], phases: [reviewed('a1', 'implement'), reviewed('a1', 'review')] }
  const two = { uid: 'b', runs: [again, failed], phases: [reviewed('b2', 'review'), reviewed('b2', 'review')] }
  const three = { uid: 'c', runs: [sentBack, later], phases: [] }
  const all = [one, two, three].flatMap((task) => task.runs.map((run) => ({ task, run })))
  expect(totalWork(all)).toMatchObject({
    ...{ task_count: 3, attempts: 5, first_attempts: 3, first_try_completed: 1, review_cycles: 3 },
  })
})

test('checks take no longer than their run, whatever another machine has written', () => {
  const runs = [aRun('a', 10, { verify_seconds: 20 }), aRun('b', 20, { verify_seconds: 1e9 })]
  const task = { uid: 'a', runs, phases: [] }
  expect(totalWork(runs.map((run) => ({ task, run }))).verify_seconds).toBe(80)
})
