/**
 * Stores the outcome of an agent's phase when the phase ends. If the worker dies after that, the next run of the task
 * judges what is there and does not call the agent a second time.
 */
import { createHash } from 'node:crypto'
import type { Run, Task } from '../../core/task/task.ts'
import { liveRun, updateRun } from '../../state/live/live-runs.ts'
import type { Live } from '../../state/live/open-live.ts'
import type { PhaseOutcome } from './phase-report.ts'

interface KeptOutcome {
  /** The digest of the order's key: the answer to another order does not count. */
  digest: string
  /** Stored under this name. */
  heard: PhaseOutcome
}

/** Null: the agent works again, and what it answered before no longer counts. */
export function keepOutcome(live: Live, run: string, promptKey: string, outcome: PhaseOutcome | null): void {
  const kept: KeptOutcome | null = outcome && { digest: digestOf(promptKey), heard: outcome }
  updateRun(live, run, { heard: kept && JSON.stringify(kept) })
}

export function keptOutcome(live: Live, run: string): PhaseOutcome | null {
  return readKept(live, run)?.heard ?? null
}

/** The outcome in the last run, if its worker died afterwards and the agent would be asked for the same again. */
export function earlierOutcome(live: Live, task: Task, promptKey: string): PhaseOutcome | null {
  const kept = lastKept(live, task)
  if (kept === null || kept.digest !== digestOf(promptKey) || isUnfinished(kept.heard)) return null
  // Its cost is already recorded for the run that died.
  const usage = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  return { ...kept.heard, report: { ...kept.heard.report, usage } }
}

/** The agent was stopped, or waits for an answer: it has not done what it was asked for. */
function isUnfinished({ report: { failure } }: PhaseOutcome): boolean {
  return failure?.reason === 'interrupted' || failure?.reason === 'question'
}

/** The last run may itself have died before it judged the outcome of an earlier dead run. */
function lastKept(live: Live, { runs, generation }: Task): KeptOutcome | null {
  const isDead = (run: Run) => run.outcome === 'interrupted' && run.generation === generation
  const dead = runs.slice(runs.findLastIndex((run) => !isDead(run)) + 1)
  return dead.reduceRight<KeptOutcome | null>((found, { run }) => found ?? readKept(live, run), null)
}

function readKept(live: Live, run: string): KeptOutcome | null {
  const text = liveRun(live, run)?.heard ?? null
  return text === null ? null : (JSON.parse(text) as KeptOutcome)
}

function digestOf(promptKey: string): string {
  return createHash('sha256').update(promptKey).digest('hex')
}
