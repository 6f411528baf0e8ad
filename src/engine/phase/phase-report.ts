import type { FailureReason } from '../../core/run/run-rules.ts'
import type { PhaseEnd } from '../supervise/phase-cause.ts'

/** How one call of an agent ended, and what it printed and spent. */
export interface PhaseReport {
  end: PhaseEnd
  /** Processes that could not be ended: another user's, or stuck in the kernel. */
  survivors: number
  session: string | null
  /** What it printed last: the result's text, otherwise its last message. */
  text: string
  /** Everything that a client without events has printed, because the start of its last message is unknown. */
  printed: string
  /** The calls that the client did not allow, as `shell: rm x`. */
  denied?: readonly string[]
  usage: { tokensIn: number; tokensOut: number; costUsd: number; turns: number }
  /** Null: the call did not fail. Git and the checks judge the work. */
  failure: { reason: FailureReason; detail: string; resetsAt: string | null; ofModel?: boolean } | null
}

/** The report of a call that was never made. */
export function phaseNotBegun(failure: NonNullable<PhaseReport['failure']>): PhaseReport {
  const usage = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  const end = { kind: 'not-started', why: failure.detail } as const
  return { end, survivors: 0, session: null, text: '', printed: '', usage, failure }
}

/** Everything that a run needs to know about its agent's phase after its end. Stored as JSON. */
export interface PhaseOutcome {
  report: PhaseReport
  incidents: readonly string[]
  /** What the agent or a person changed outside the workplace meanwhile. */
  strayed: readonly string[]
  /** The result of a task that makes a text and no commits. */
  text: string | null
  /** What a reviewer answered when it was asked once more for the verdict of its text. */
  answer?: string
  /** The message for what was left uncommitted. */
  message?: string
}
