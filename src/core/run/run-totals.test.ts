import { expect, test } from 'bun:test'
import type { Run } from '../task/task.ts'
import { totalRuns } from './run-totals.ts'

const started = { run: 'r', attempt: 1, machine: 'm', started_at: '2026-01-02T10:00:00Z' }
const ended = { ...started, ended_at: '2026-01-02T10:01:30Z' }

test('runs sum up by outcome, time, tokens and cost, and cents stay cents', () => {
  const runs: Run[] = [
    { ...ended, outcome: 'completed', cost_usd: 0.1, tokens_in: 10, tokens_out: 1, turns: 2 },
    { ...ended, outcome: 'failed', cost_usd: 0.2, tokens_in: 20, tokens_out: 2, turns: 3 },
    { ...ended, outcome: 'interrupted' },
    started,
  ]
  expect(totalRuns(runs)).toEqual({
    attempts: 4,
    completed: 1,
    failed: 1,
    interrupted: 1,
    seconds: 270,
    tokens_in: 30,
    tokens_out: 3,
    cost_usd: 0.3,
    attempts_without_cost: 1,
    turns: 5,
  })
})

test('a value from another machine that is not an amount counts as zero', () => {
  const odd = { ...ended, ended_at: '2025-01-01T00:00:00Z', cost_usd: '7', tokens_in: -5, tokens_out: Number.NaN }
  expect(totalRuns([odd])).toEqual({
    attempts: 1,
    completed: 0,
    failed: 0,
    interrupted: 0,
    seconds: 0,
    tokens_in: 0,
    tokens_out: 0,
    cost_usd: 0,
    attempts_without_cost: 1,
    turns: 0,
  })
})

test('amounts that no client can mean count as zero: two of them would be infinite', () => {
  const odd = { ...ended, cost_usd: 1e308, tokens_in: 1e308, tokens_out: 1e308, turns: 1e308 }
  expect(totalRuns([odd, odd, { ...ended, cost_usd: 2 }])).toMatchObject({ cost_usd: 2, tokens_in: 0, turns: 0 })
})

test('the cost of an agent that worked without reporting one is unknown; one that was refused or never called is free', () => {
  const runs: Run[] = [
    { ...ended, outcome: 'completed', cost_usd: 0 },
    { ...ended, outcome: 'interrupted', reason: 'interrupted', cost_usd: 0 },
    { ...ended, outcome: 'failed', reason: 'usage-limit', cost_usd: 0, tokens_out: 4 },
    started,
  ]
  expect(totalRuns(runs).attempts_without_cost).toBe(4)
  const free: Run[] = [
    { ...ended, outcome: 'failed', reason: 'usage-limit', cost_usd: 0 },
    { ...ended, outcome: 'failed', reason: 'setup-failed' },
    { ...ended, outcome: 'completed', cost_usd: 0.1 },
  ]
  expect(totalRuns(free).attempts_without_cost).toBe(0)
})
