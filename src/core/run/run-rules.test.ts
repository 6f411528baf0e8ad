import { expect, test } from 'bun:test'
import type { Run } from '../task/task.ts'
import {
  attemptsOf,
  isAgentDown,
  isFinalFailure,
  lastFailure,
  notBefore,
  overloadPause,
  showsService,
} from './run-rules.ts'

test('only failures of the work itself cost an attempt', () => {
  const free = ['usage-limit', 'overloaded', 'interrupted', 'not-started', 'auth-failed', 'suspected']
  expect(attemptsOf(withRuns(...free, 'verify-failed'))).toBe(1)
})

test('the last attempt closes the task, and so does a failure that would only repeat', () => {
  const twice = withRuns('no-changes', 'no-changes')
  expect(isFinalFailure(twice, 'no-changes', 4)).toBe(false)
  expect(isFinalFailure(twice, 'no-changes', 3)).toBe(true)
  expect(isFinalFailure(twice, 'usage-limit', 3)).toBe(false)
  expect(isFinalFailure(withRuns(), 'secrets-left', 3)).toBe(true)
  expect(isFinalFailure(withRuns(), 'secrets-left', Number.POSITIVE_INFINITY)).toBe(false)
})

test('attempts of an earlier generation are forgotten, its failure is not', () => {
  const reopened = { ...withRuns('no-changes', 'verify-failed'), generation: 1 }
  expect(attemptsOf(reopened)).toBe(0)
  expect(notBefore(reopened, 10)).toBeNull()
  expect(lastFailure(reopened)?.reason).toBe('verify-failed')
})

test('an interrupted attempt does not hide why the one before it failed', () => {
  expect(lastFailure(withRuns('verify-failed', 'interrupted', 'usage-limit'))?.reason).toBe('verify-failed')
})

test('the pause before the next attempt doubles, and a limit causes none', () => {
  const seconds = (...reasons: string[]) => {
    const moment = notBefore(withRuns(...reasons), 10)
    return moment === null ? null : (moment - Date.parse(ENDED)) / 1000
  }
  expect(seconds('no-changes')).toBe(10)
  expect(seconds('no-changes', 'no-changes', 'no-changes')).toBe(40)
  expect(seconds('no-changes', 'usage-limit')).toBeNull()
  expect(seconds('no-changes', 'interrupted')).toBeNull()
})

test('an overloaded agent is left alone for doubling pauses of up to a quarter of an hour, and no task for itself', () => {
  expect([1, 2, 30].map((times) => overloadPause(times, 10))).toEqual([10, 20, 900])
  expect(overloadPause(5, 2000)).toBe(2000)
  expect(notBefore(withRuns('no-changes', 'overloaded'), 10)).toBeNull()
})

test('work that was done, well or badly, shows that the service works', () => {
  expect(showsService({ outcome: 'completed' })).toBe(true)
  const reasons = ['verify-failed', 'overloaded', 'usage-limit', 'auth-failed', 'interrupted', 'day-budget'] as const
  const shown = reasons.filter((reason) => showsService({ outcome: 'failed', reason }))
  expect(shown).toEqual(['verify-failed'])
})

test('an agent that cannot be started or is not logged in is down, but one at its limit is not', () => {
  expect(['not-started', 'auth-failed', 'usage-limit', undefined].map(isAgentDown)).toEqual([true, true, false, false])
})

const ENDED = '2026-01-02T10:00:00Z'

function withRuns(...reasons: string[]): { runs: Run[]; generation: number } {
  const runs = reasons.map((reason, at) => ({
    run: `r${at}`,
    attempt: at + 1,
    machine: 'm',
    started_at: ENDED,
    ended_at: ENDED,
    outcome: reason === 'interrupted' ? 'interrupted' : 'failed',
    reason,
  }))
  return { runs, generation: 0 }
}
