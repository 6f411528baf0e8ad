/** What a task's runs mean for its future: how many attempts they cost, and when the next one may start. */
import type { Run, Task } from '../task/task.ts'
import type { Weakening } from '../weakened/weakening.ts'

export const FAILURES = [
  'agent-error',
  'auth-failed',
  'timed-out',
  'stalled',
  'over-budget',
  'max-iterations',
  'task-budget',
  'day-budget',
  'no-changes',
  'no-improvement',
  'no-artifact',
  'dirty-tree',
  'setup-failed',
  'verify-failed',
  'conflict',
  'usage-limit',
  'overloaded',
  'secrets-left',
  'tampered',
  'suspected',
  'outside-changes',
  'not-started',
  'unworkable',
  'interrupted',
  'not-done',
  'question',
] as const
export type FailureReason = (typeof FAILURES)[number]

export type Outcome = 'completed' | 'failed' | 'interrupted'

/** How one run ended, as the ledger stores it. */
export interface RunEnd {
  ended_at: string
  outcome: Outcome
  reason?: FailureReason
  detail?: string
  head?: string
  verdict?: string
  /** The first blocker of a review task, in one line. */
  summary?: string
  /** The phase of the review cycles in which it failed, as `improve 2`. */
  phase?: string
  review_cycle?: number
  /** The agent that was called, if it was not the run's own agent. */
  caller?: string
  cost_usd?: number
  tokens_in?: number
  tokens_out?: number
  turns?: number
  seconds?: number
  /** How long checks ran in it. */
  verify_seconds?: number
  /** The agent had closed the task, and it was opened again. */
  taken_back?: true
  checks?: { passed: number; failed: number; skipped: number }
  /** Completed without any check, because none is configured. */
  unverified?: true
  /** Files that it changed and that the task does not declare; at most 50. */
  outside?: string[]
  /** Where it makes checks see less; at most 20. */
  weakened?: Weakening[]
}

// Neither the task nor the agent's work is at fault: another attempt costs nothing.
const FREE: ReadonlySet<string> = new Set([
  ...['usage-limit', 'overloaded', 'interrupted', 'not-started', 'auth-failed', 'suspected'],
  ...['task-budget', 'day-budget', 'question'],
])

/** Whether a failure costs no attempt. */
export function isFree(reason: string): boolean {
  return FREE.has(reason)
}

// Another attempt would only repeat the failure: a person is needed.
const FINAL: ReadonlySet<string> = new Set([
  'tampered',
  'secrets-left',
  'unworkable',
  'conflict',
  'no-improvement',
  'max-iterations',
])

// The agent itself is unavailable: every other task would fail in the same way, and must not fail for it.
const AGENT_DOWN: ReadonlySet<string> = new Set(['not-started', 'auth-failed'])

// The service refused the agent, or it was never called.
const REFUSED: ReadonlySet<string> = new Set([...AGENT_DOWN, 'usage-limit', 'overloaded'])

interface Spent {
  costUsd: number
  tokensOut: number
  /** Why it failed, if it did. */
  reason: string | undefined
}

/** An agent that has worked and reports no cost has not worked for nothing. */
export function isCostUnknown({ costUsd, tokensOut, reason }: Spent): boolean {
  const isRefused = reason !== undefined && REFUSED.has(reason) && tokensOut === 0
  return costUsd === 0 && !isRefused
}

export function isAgentDown(reason: string | undefined): boolean {
  return reason !== undefined && AGENT_DOWN.has(reason)
}

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

/**
 * The last failure, for the next attempt's prompt. It also counts after a person opened the task again, and after an
 * interrupted attempt.
 */
export function lastFailure<R extends EndedRun>({ runs }: { runs: readonly R[] }): R | null {
  const last = runs.findLast((run) => run.ended_at != null && !FREE.has(String(run.reason)))
  return last?.outcome === 'failed' ? last : null
}

/** What the end of a run is judged by. In a view, what is not known is null. */
type EndedRun = { [Field in 'ended_at' | 'outcome' | 'reason']?: string | null }

/**
 * The commit with which the task was completed before a person opened it again. The same commit alone is not an answer
 * to that person. Work that was sent back is different: the base may have changed instead, and landing decides.
 */
export function refusedHead(task: Pick<Task, 'runs' | 'landings' | 'generation'>): string | null {
  const done = task.runs.findLast((run) => run.outcome === 'completed' && Number(run.generation ?? 0) < task.generation)
  const isSentBack = task.landings.some(({ outcome, head }) => outcome !== 'landed' && head === done?.head)
  return done?.head === undefined || isSentBack ? null : String(done.head)
}

/** The last run that has ended, with the session that another run may resume. */
export function lastRun(task: Pick<Task, 'runs'>): Run | null {
  return task.runs.findLast((run) => run.ended_at !== undefined) ?? null
}

/** After so many failures in a row, `git tasks run` leaves a task alone and a person is needed. */
export const FAILURES_IN_TREE = 3

/**
 * Its last runs in a person's own tree failed, and no person has opened it again since. A failure there closes nothing;
 * a wrong claim to be done was taken back, which opened the task once.
 */
export function isGivenUp(task: Pick<Task, 'runs' | 'generation'>): boolean {
  const ended = task.runs.filter((run) => run.ended_at !== undefined && !FREE.has(String(run.reason)))
  const failures = ended.length - 1 - ended.findLastIndex((run) => run.outcome !== 'failed' || !run.in_tree)
  const last = ended.at(-1)
  if (last === undefined || failures < FAILURES_IN_TREE) return false
  return Number(last.generation ?? 0) + (last.taken_back ? 1 : 0) === task.generation
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

/** The longest pause before an overloaded service is tried again. */
const LONGEST_PAUSE_SECONDS = 15 * 60

/** How long an agent is left alone after its service has refused it so often in a row. */
export function overloadPause(times: number, backoffSeconds: number): number {
  return Math.min(backoffSeconds * 2 ** (times - 1), Math.max(LONGEST_PAUSE_SECONDS, backoffSeconds))
}

/** Whether a run with this end shows that the agent's service works. */
export function showsService({ outcome, reason }: Pick<RunEnd, 'outcome' | 'reason'>): boolean {
  return outcome === 'completed' || (outcome === 'failed' && !FREE.has(String(reason)))
}

/** The time before which a failed task is not tried again: the pause doubles with each attempt. */
export function notBefore(task: Pick<Task, 'runs' | 'generation'>, backoffSeconds: number): number | null {
  const last = lastRun({ runs: currentRuns(task) })
  if (last?.ended_at === undefined || last.outcome !== 'failed') return null
  const pause = pauseAfter(task, String(last.reason), backoffSeconds)
  return pause === null ? null : Date.parse(last.ended_at) + pause * 1000
}

function pauseAfter(task: Pick<Task, 'runs' | 'generation'>, reason: string, backoffSeconds: number): number | null {
  return FREE.has(reason) ? null : backoffSeconds * 2 ** (attemptsOf(task) - 1)
}
