/**
 * Runs, phases and landings as faces show them: what the ledger stores, with the fields below always set. Other facts
 * are there only if they apply, and those of later releases are kept.
 */
import type { LandAttempt, Phase, ReviewerVerdict, Run } from '../../core/task/task.ts'

export interface RunView {
  run: string
  attempt: number
  machine: string
  started_at: string
  /** Null: it has not ended. */
  ended_at: string | null
  outcome: string | null
  reason: string | null
  head: string | null
  /** These come from other machines too, and nothing has checked them. */
  agent: unknown
  detail: unknown
  tokens_in: unknown
  tokens_out: unknown
  cost_usd: unknown
  turns: unknown
  [fact: string]: unknown
}

export interface PhaseView {
  run: string
  generation: number
  phase: Phase['phase']
  cycle: number
  at: string
  head: string
  verdict: ReviewerVerdict | null
  summary: string | null
  artifact: string | null
  [fact: string]: unknown
}

export interface LandingView {
  id: string
  generation: number
  at: string
  by: string
  base: string
  head: string
  outcome: LandAttempt['outcome']
  method: string
  commits: string[]
  detail: string | null
  [fact: string]: unknown
}

const OF_RUN = {
  ...{ agent: null, ended_at: null, outcome: null, reason: null, detail: null, head: null },
  ...{ tokens_in: null, tokens_out: null, cost_usd: null, turns: null },
}

export function viewRun(run: Run): RunView {
  return { ...OF_RUN, ...run }
}

export function viewPhase(phase: Phase): PhaseView {
  return { verdict: null, summary: null, artifact: null, ...phase }
}

export function viewLanding(landing: LandAttempt): LandingView {
  return { commits: [], detail: null, ...landing }
}
