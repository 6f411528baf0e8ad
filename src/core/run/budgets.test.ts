import { expect, test } from 'bun:test'
import type { Run } from '../task/task.ts'
import { leftOf, spendIncrease, spentOn, tightest, whyExceeded, whyUsedUp } from './budgets.ts'

test('a limit is used up by spending all of it, and exceeded by spending more', () => {
  const limits = { usd: 0.3, turns: 4 }
  expect(whyUsedUp({ usd: 0.1 + 0.2 - 5e-17, turns: 0 }, limits)).toBe('$0.30 of $0.30')
  expect(whyExceeded({ usd: 0.3, turns: 4 }, limits)).toBeNull()
  expect(whyUsedUp({ usd: 0, turns: 4 }, limits)).toBe('4 of 4 turns')
  expect(whyExceeded({ usd: 0.3125, turns: 0 }, limits)).toBe('$0.3125 of $0.3000')
  expect(whyUsedUp({ usd: 99, turns: 99 }, { usd: null, turns: null })).toBeNull()
})

test('of several limits the smallest remainder counts', () => {
  const task = leftOf({ usd: 0.6, turns: null }, { usd: 0.25, turns: 3 })
  expect(task).toEqual({ usd: 0.35, turns: null })
  expect(tightest({ usd: null, turns: 9 }, task, { usd: 5, turns: 2 })).toEqual({ usd: 0.35, turns: 2 })
  expect(tightest({ usd: null, turns: null })).toEqual({ usd: null, turns: null })
})

test('spent money does not come back', () => {
  expect(spendIncrease({ usd: 0.3, turns: 5 }, { usd: 0.1, turns: 6 })).toEqual({ usd: 0, turns: 1 })
})

test('a task has spent what its runs spent since a person opened it, including runs whose claim was rejected', () => {
  const run = (generation: number, usd: number, more = {}): Run => ({
    ...{ run: `r${usd}`, attempt: 1, machine: 'm', started_at: '2026-01-02T10:00:00Z' },
    ...{ generation, cost_usd: usd, turns: 2, ...more },
  })
  const runs = [run(0, 8), run(1, 4, { taken_back: true }), run(2, 1), run(2, 2, { taken_back: true })]
  expect(spentOn({ runs, generation: 3 })).toEqual({ usd: 7, turns: 6 })
  expect(spentOn({ runs, generation: 4 })).toEqual({ usd: 0, turns: 0 })
})
