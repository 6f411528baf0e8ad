import { expect, test } from 'bun:test'
import { GZA, onTerminal, textOf } from '../../../../test/cli/displays.ts'
import { aName, aView } from '../../../../test/cli/task-view.ts'
import { renderGroupStatus, renderStatus } from './status.ts'

const group = 'tarantino-v2'
const plan = aView({ number: 1, type: 'plan', group, content: 'Plan ImageTransform system' })
const implement = aView({ number: 2, type: 'implement', group, content: 'Implement ImageTransform' })
const review = aView({ number: 3, type: 'review', group, content: 'Review ImageTransform impl' })

test('the status of a group has one line for each task, with what blocks it', () => {
  const tasks = [
    { ...plan, status: 'completed' as const, closed_at: '2024-12-13T12:00:00Z' },
    { ...implement, status: 'in_progress' as const },
    { ...review, status: 'blocked' as const, blocked_by: [aName({ number: 2 })] },
  ]
  expect(textOf(renderGroupStatus({ group, tasks }, GZA))).toBe(
    `Group: tarantino-v2
  ✓ 1. Plan ImageTransform system          completed  12/13
  → 2. Implement ImageTransform            in_progress
  ○ 3. Review ImageTransform impl          pending (blocked by #2)
`,
  )
})

test('a completed review shows its verdict in the status of its group', () => {
  const completed = { status: 'completed' as const }
  const tasks = [
    { ...plan, ...completed },
    { ...implement, ...completed },
    { ...review, ...completed, final_verdict: 'APPROVED' as const },
  ]
  expect(textOf(renderGroupStatus({ group, tasks }, GZA))).toBe(
    `Group: tarantino-v2
  ✓ 1. Plan ImageTransform system          completed
  ✓ 2. Implement ImageTransform            completed
  ✓ 3. Review ImageTransform impl          completed  APPROVED
`,
  )
})

const reviewed = { type: 'implement', auto_review: true, max_review_cycles: 3 } as const

test('the status of everything shows types, verdicts and review cycles', () => {
  const closed = { status: 'completed', closed_at: '2026-01-29T12:00:00Z', review_cycle: 3 } as const
  const tasks = [
    aView({ ...reviewed, ...closed, number: 29, content: 'Add feature X', final_verdict: 'APPROVED' }),
    aView({ ...reviewed, ...closed, number: 30, content: 'Add feature Y', final_verdict: 'MAX_CYCLES_REACHED' }),
    aView({ ...reviewed, number: 31, content: 'Add feature Z', status: 'in_progress', review_cycle: 2 }),
  ]
  expect(textOf(renderStatus([{ group: null, tasks }], GZA))).toBe(
    `  ✓ 29. implement Add feature X    completed  APPROVED (3 cycles)
  ✓ 30. implement Add feature Y    completed  MAX_CYCLES_REACHED (3 cycles)
  → 31. implement Add feature Z    in_progress (cycle 2/3)
`,
  )
})

test('where groups exist, the tasks without one stand under (ungrouped), in the same columns', () => {
  const groups = [
    { group, tasks: [{ ...plan, status: 'failed' as const }] },
    { group: null, tasks: [aView({ number: 10, content: 'Fix', status: 'in_progress', running_on: 'box' })] },
  ]
  expect(textOf(renderStatus(groups, GZA))).toBe(
    `Group: tarantino-v2
  ✗ 1. plan Plan ImageTransform system    failed

(ungrouped)
  → 10. Fix                               in_progress (box)
`,
  )
})

test('one cycle is one cycle, and a skipped task is marked', () => {
  const tasks = [
    aView({ ...reviewed, number: 1, content: 'A', status: 'completed', review_cycle: 1, final_verdict: 'APPROVED' }),
    aView({ number: 2, content: 'B', status: 'skipped', closed_at: '2026-01-29T12:00:00Z' }),
  ]
  expect(textOf(renderStatus([{ group: null, tasks }], GZA))).toBe(
    '  ✓ 1. implement A    completed  APPROVED (1 cycle)\n  - 2. B              skipped\n',
  )
})

test('a title wider than the terminal is cut, and one with escapes shows them', () => {
  const tasks = [aView({ content: `\x1b[31m${'long '.repeat(40)}`, status: 'in_progress' })]
  const [line = ''] = renderStatus([{ group: null, tasks }], onTerminal(GZA, 80))
  expect(Bun.stripANSI(line)).toStartWith('  → 1. \\x1b[31mlong long')
  expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80)
})
