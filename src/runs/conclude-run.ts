import { showsService } from '../core/run/run-rules.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import type { RunResult } from '../engine/phase/run-plan.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { releaseLease } from '../state/live/leases.ts'
import { finishRun, liveRun } from '../state/live/live-runs.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { recordEnd } from './record-run.ts'
import { pauseAgent } from './spend/agent-pauses.ts'
import { forgetOverload, noteOverload } from './spend/overloads.ts'
import type { TakenRun } from './take-run.ts'

export interface ConcludedRun {
  result: RunResult
  task: Task
  followUp: Task | null
  /** Why its end is not recorded in the ledger. */
  unrecorded?: { code: string; message: string }
}

/** Records how a run ended and releases the task. */
export async function concludeRun(
  ws: Workspace,
  { plan, lease }: Pick<TakenRun, 'plan' | 'lease'>,
  result: RunResult,
): Promise<ConcludedRun> {
  const { run, task: planned } = plan.subject
  const { agent, settings } = result.reviewer ?? plan.worker
  if (result.end.reason === 'usage-limit') pauseAgent(ws, { agent, model: settings.model }, result)
  if (result.end.reason === 'overloaded') noteOverload(ws, agent.name, liveRun(liveOf(ws), run)?.started_at ?? ws.now())
  if (showsService(result.end)) forgetOverload(ws, agent.name)
  const { task, followUp, end } = await recordEnd(ws, plan, lease, result)
  const { ended_at, outcome, reason = null } = end
  const live = liveOf(ws)
  finishRun(live, run, { ended_at, outcome, reason })
  passStep(ws.env, 'finished')
  releaseLease(live, planned.uid, lease.token, ended_at)
  passStep(ws.env, 'released')
  return { result: { ...result, end }, task, followUp }
}

/**
 * A run that is not recorded in the ledger. Unless the cause is that the task is no longer ours, the lease stays until
 * this process ends: if it were released, the task would be tried again immediately, with the same end.
 */
export function abandonRun(ws: Workspace, { plan, lease }: TakenRun, error: unknown): ConcludedRun {
  const { run, task } = plan.subject
  const end = { ended_at: ws.now(), outcome: 'interrupted', reason: 'interrupted' } as const
  if (isNoLongerOurs(error)) {
    finishRun(liveOf(ws), run, end)
    releaseLease(liveOf(ws), task.uid, lease.token, end.ended_at)
  }
  const detail = error instanceof UserError ? error.message : String((error as Error).stack)
  const nothing = { commits: [], text: null, session: null, resetsAt: null, incidents: [] }
  const dropped = { result: { end: { ...end, detail }, ...nothing }, task, followUp: null }
  if (isNoLongerOurs(error)) return dropped
  return { ...dropped, unrecorded: { code: error instanceof UserError ? error.code : 'INTERNAL', message: detail } }
}

const NO_LONGER_OURS = new Set(['LEASE_LOST', 'TASK_CLOSED', 'TASK_RUNNING'])

export function isNoLongerOurs(error: unknown): boolean {
  return error instanceof UserError && NO_LONGER_OURS.has(error.code)
}
