import { expect, test } from 'bun:test'
import { GZA, textOf } from '../../../../test/cli/displays.ts'
import { renderGroups } from './groups.ts'

const NONE = { pending: 0, in_progress: 0, completed: 0, failed: 0, skipped: 0 }

test('each group has one line with its counts, and tasks without a group come last', () => {
  const groups = [
    {
      group: 'tarantino-v2',
      total: 3,
      counts: { ...NONE, completed: 1, pending: 1, in_progress: 1 },
      on_hold_count: 0,
    },
    { group: 'auth-refactor', total: 2, counts: { ...NONE, pending: 2 }, on_hold_count: 1 },
    { group: null, total: 5, counts: { ...NONE, pending: 5 }, on_hold_count: 0 },
  ]
  expect(textOf(renderGroups(groups, GZA))).toBe(
    `tarantino-v2      3 tasks (1 pending, 1 in_progress, 1 completed)
auth-refactor     2 tasks (2 pending, 1 on hold)
(ungrouped)       5 tasks
`,
  )
})

test('a longer name moves the column, and one task is one task', () => {
  const groups = [{ group: 'a-name-of-twenty-ch.', total: 1, counts: { ...NONE, failed: 1 }, on_hold_count: 0 }]
  expect(textOf(renderGroups(groups, GZA))).toBe('a-name-of-twenty-ch.  1 task (1 failed)\n')
})
