import { expect, test } from 'bun:test'
import { isArchived, isFinished, isOpen, isPending, isUnstarted } from './status-predicates.ts'
import { DERIVED_STATUSES, type DerivedStatus } from './task.ts'

const those = (isSo: (task: { status: DerivedStatus }) => boolean) =>
  DERIVED_STATUSES.filter((status) => isSo({ status }))

test('each status answers each question', () => {
  expect(those(isFinished)).toEqual(['completed', 'skipped'])
  expect(those(isOpen)).toEqual(['pending', 'blocked', 'in_progress', 'failed'])
  expect(those(isPending)).toEqual(['pending'])
  expect(those(isUnstarted)).toEqual(['pending', 'blocked'])
})

test('a deleted task is neither open nor pending', () => {
  expect([true, 1, false, 0, null, undefined].map((deleted) => isOpen({ status: 'failed', deleted }))).toEqual([
    ...[false, false],
    ...[true, true, true, true],
  ])
  expect(isPending({ status: 'pending', deleted: 1 })).toBe(false)
})

test('only a finished task counts as archived', () => {
  expect(those((task) => isArchived({ ...task, archived: true }))).toEqual(['completed', 'skipped'])
  expect(those((task) => isArchived(task))).toEqual([])
})
