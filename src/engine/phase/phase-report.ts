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
  /** Everything that a client without events has printed: where its last message begins is unknown. */
  printed: string
  usage: { tokensIn: number; tokensOut: number; costUsd: number; turns: number }
  /** Null: nothing speaks against it. Git and the checks decide what the work is worth. */
  failure: { reason: FailureReason; detail: string; resetsAt: string | null } | null
}

/** Everything that a run needs to know of its agent's phase once that is over. Stored as JSON. */
export interface PhaseOutcome {
  report: PhaseReport
  incidents: readonly string[]
  /** What changed outside the workplace meanwhile, by the agent or by a person. */
  strayed: readonly string[]
  /** The text that a task without commits is about. */
  text: string | null
  /** The message for what was left uncommitted. */
  message?: string
}
