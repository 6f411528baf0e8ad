import { expect, test } from 'bun:test'
import type { DerivedStatus } from '../task/task.ts'
import { milestoneStatus, milestonesOf } from './milestones-of-tasks.ts'

test('a milestone is completed if all tasks are, otherwise failed if any is, otherwise in progress once something began', () => {
  const cases: [DerivedStatus[], string][] = [
    [['completed', 'skipped'], 'completed'],
    [['completed', 'failed', 'in_progress'], 'failed'],
    [['pending', 'in_progress'], 'in_progress'],
    [['pending', 'completed'], 'in_progress'],
    [['skipped', 'blocked'], 'in_progress'],
    [['pending', 'blocked'], 'pending'],
  ]
  expect(cases.map(([statuses]) => milestoneStatus(statuses))).toEqual(cases.map(([, status]) => status) as never)
})

test('milestones are listed in the order of work, and tasks without a milestone are in none', () => {
  const task = (id: string, milestone_id: string | null) => ({
    ...{ uid: id, parent: null, id, milestone_id },
    status: 'pending' as const,
  })
  const milestones = milestonesOf([task('a', 'M10'), task('b', 'M2'), task('c', null), task('d', 'M10'), task('e', '')])
  expect(milestones).toEqual([
    { id: 'M2', name: 'M2', description: '', task_ids: ['b'], status: 'pending' },
    { id: 'M10', name: 'M10', description: '', task_ids: ['a', 'd'], status: 'pending' },
  ])
})
