/**
 * What an agent's phase came to is kept from when it ended. Should the worker die after that, the next run of the task
 * judges what is there and does not call the agent a second time.
 */
import { createHash } from 'node:crypto'
import type { Run, Task } from '../core/task/task.ts'
import type { PhaseOutcome, RunPlan } from '../engine/phase/run-plan.ts'
import { liveRun, updateRun } from '../state/live/live-runs.ts'
import type { Live } from '../state/live/open-live.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'

interface KeptOutcome {
  /** Of the prompt: to anything else that it would be told now, what it answered is no answer. */
  digest: string
  /** Stored under this name. */
  heard: PhaseOutcome
}

/** Null: the agent works again, and what it said before no longer counts. */
export function keepPhaseOutcome(live: Live, plan: RunPlan, phaseOutcome: PhaseOutcome | null): void {
  const kept: KeptOutcome | null = phaseOutcome && { digest: digestOf(plan), heard: phaseOutcome }
  updateRun(live, plan.run, { heard: kept && JSON.stringify(kept) })
}

export function phaseOutcomeOf(live: Live, run: string): PhaseOutcome | null {
  return readKept(live, run)?.heard ?? null
}

/** What the last run heard, if it died afterwards and the agent would be told the same again. */
export function earlierPhaseOutcome(ws: Workspace, task: Task, plan: RunPlan): PhaseOutcome | null {
  const kept = lastKept(ws, task)
  if (kept === null || kept.digest !== digestOf(plan) || kept.heard.report.failure?.reason === 'interrupted')
    return null
  // The run that died has paid for it.
  const usage = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  return { ...kept.heard, report: { ...kept.heard.report, usage } }
}

/** A run may have died before it came to what an earlier one that died had heard. */
function lastKept(ws: Workspace, { runs, generation }: Task): KeptOutcome | null {
  const isDead = (run: Run) => run.outcome === 'interrupted' && run.generation === generation
  const dead = runs.slice(runs.findLastIndex((run) => !isDead(run)) + 1)
  return dead.reduceRight<KeptOutcome | null>((found, { run }) => found ?? readKept(liveOf(ws), run), null)
}

function readKept(live: Live, run: string): KeptOutcome | null {
  const text = liveRun(live, run)?.heard ?? null
  return text === null ? null : (JSON.parse(text) as KeptOutcome)
}

function digestOf({ prompt }: RunPlan): string {
  return createHash('sha256').update(prompt).digest('hex')
}
