/** What a task's runs mean for its future: how many attempts they cost, and when the next may start. */
import type { Run, Task } from './task.ts'

export const FAILURES = [
  'agent-error',
  'auth-failed',
  'timed-out',
  'stalled',
  'over-budget',
  'no-changes',
  'no-artifact',
  'dirty-tree',
  'verify-failed',
  'conflict',
  'usage-limit',
  'overloaded',
  'secrets-left',
  'tampered',
  'outside-changes',
  'not-started',
  'interrupted',
  'not-done',
] as const
export type FailureReason = (typeof FAILURES)[number]

export type Outcome = 'completed' | 'failed' | 'interrupted'

/** How one run ended, as the ledger keeps it. */
export interface RunEnd {
  ended_at: string
  outcome: Outcome
  reason?: FailureReason
  detail?: string
  head?: string
  verdict?: string
  cost_usd?: number
  tokens_in?: number
  tokens_out?: number
  seconds?: number
  checks?: { passed: number; failed: number; skipped: number }
}

// Not the task's fault and not the agent's: another try is free.
const FREE: ReadonlySet<string> = new Set(['usage-limit', 'overloaded', 'interrupted', 'not-started'])

// Trying again would only do the same again: a person is needed.
const FINAL: ReadonlySet<string> = new Set(['tampered', 'secrets-left', 'auth-failed', 'outside-changes'])

export function currentRuns(task: Pick<Task, 'runs' | 'generation'>): Run[] {
  return task.runs.filter((run) => (run.generation ?? 0) === task.generation)
}

/** The runs of this generation that count against `max_attempts`. */
export function attemptsOf(task: Pick<Task, 'runs' | 'generation'>): number {
  return currentRuns(task).filter((run) => run.outcome === 'failed' && !FREE.has(String(run.reason))).length
}

export function nextAttempt(task: Pick<Task, 'runs'>): number {
  return Math.max(0, ...task.runs.map((run) => run.attempt)) + 1
}

/** The last failure of this generation, which the next attempt's prompt tells. */
export function lastFailure(task: Pick<Task, 'runs' | 'generation'>): Run | null {
  const last = currentRuns(task).findLast((run) => run.ended_at !== undefined)
  return last?.outcome === 'failed' ? last : null
}

/** Does this failure close the task, or may it be tried again? */
export function isFinalFailure(
  task: Pick<Task, 'runs' | 'generation'>,
  reason: FailureReason,
  maxAttempts: number,
): boolean {
  if (maxAttempts === Number.POSITIVE_INFINITY) return false
  return FINAL.has(reason) || (!FREE.has(reason) && attemptsOf(task) + 1 >= maxAttempts)
}

/** The moment before which a failed task is not tried again: the pause doubles with each attempt. */
export function notBefore(task: Pick<Task, 'runs' | 'generation'>, backoffSeconds: number): number | null {
  const failure = lastFailure(task)
  if (failure?.ended_at === undefined || FREE.has(String(failure.reason))) return null
  const pause = backoffSeconds * 2 ** (attemptsOf(task) - 1)
  return Date.parse(failure.ended_at) + pause * 1000
}
