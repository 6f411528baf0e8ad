import { asUserError } from '../core/machine-error.ts'
import type { Task } from '../core/task/task.ts'
import { errorWithHint, UserError } from '../core/user-error.ts'
import type { RunResult } from '../engine/phase/run-plan.ts'
import { failed } from '../engine/phase/run-result.ts'
import { runTask } from '../engine/phase/run-task.ts'
import type { Semaphore, YieldWhile } from '../engine/phase/semaphore.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { recordEnd, recordStart } from '../runs/record-run.ts'
import { retireRun } from '../runs/retire-run.ts'
import { pauseAgent } from '../runs/spend/agent-pauses.ts'
import type { TakenRun } from '../runs/take-run.ts'
import { releaseLease } from '../state/live/leases.ts'
import { finishRun } from '../state/live/live-runs.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import type { LedgerWatchdog } from './ledger-watchdog.ts'
import { type Controls, openRunContext } from './run-context.ts'
import type { SessionInput } from './work-session.ts'

export interface Finished {
  result: RunResult
  task: Task
  followUp: Task | null
  /** Why the ledger does not know how it ended. */
  unrecorded?: { code: string; message: string }
}

interface Begun extends TakenRun, Omit<Controls, 'yieldWhile'> {
  /** Called when its agent is, each time. */
  underWay: () => void
}

type GuardedSession = SessionInput & { watchdog: LedgerWatchdog; semaphore: Semaphore }

/**
 * From the lease to its release: started, run, ended, released, in this order and each exactly once. It never throws:
 * a run that cannot be begun or recorded holds up no other.
 */
export async function performRun(session: GuardedSession, taken: Begun): Promise<Finished> {
  const { ws, watcher, semaphore } = session
  try {
    if (taken.from !== null) await retireRun(ws, taken.from)
    return await semaphore.withPlace((step) => {
      const yieldWhile: YieldWhile = (wait) => {
        taken.underWay()
        return step(wait)
      }
      return runAndConclude(session, { ...taken, yieldWhile })
    })
  } catch (error) {
    watcher.said(errorWithHint(error as Error))
    return abandonRun(ws, taken, error)
  }
}

async function runAndConclude(session: GuardedSession, taken: TakenRun & Controls): Promise<Finished> {
  const { plan } = taken
  const context = openRunContext(session, plan, taken)
  recordStart(session.ws, plan)
  context.step(plan, 'started')
  const result = await runTask(plan, context).catch((thrown: Error) => {
    if (isNoLongerOurs(thrown)) throw thrown
    const error = asUserError(thrown)
    if (!(error instanceof UserError)) return failed(context, 'agent-error', thrown.stack ?? thrown.message)
    return failed(context, 'unworkable', errorWithHint(error, '. '))
  })
  return concludeRun(session.ws, taken, result)
}

/** Records how a run ended and gives the task free. */
export function concludeRun(
  ws: Workspace,
  { plan, lease }: Pick<TakenRun, 'plan' | 'lease'>,
  result: RunResult,
): Finished {
  if (result.end.reason === 'usage-limit') pauseAgent(ws, result.caller ?? plan.agent.name, result.resetsAt)
  const { task, followUp, end } = recordEnd(ws, plan, lease, result)
  const { ended_at, outcome, reason = null } = end
  finishRun(liveOf(ws), plan.run, { ended_at, outcome, reason })
  passStep(ws.env, 'finished')
  releaseLease(liveOf(ws), plan.task.uid, lease.token, ended_at)
  passStep(ws.env, 'released')
  return { result: { ...result, end }, task, followUp }
}

/**
 * A run that the ledger will not hear of. Where the cause is anything but that the task is no longer ours, the lease
 * stays until this process ends: given back, the task would be tried again at once, with the same end.
 */
function abandonRun(ws: Workspace, { plan, lease }: TakenRun, error: unknown): Finished {
  const end = { ended_at: ws.now(), outcome: 'interrupted', reason: 'interrupted' } as const
  if (isNoLongerOurs(error)) {
    finishRun(liveOf(ws), plan.run, end)
    releaseLease(liveOf(ws), plan.task.uid, lease.token, end.ended_at)
  }
  const detail = error instanceof UserError ? error.message : String((error as Error).stack)
  const nothing = { commits: [], text: null, session: null, resetsAt: null, incidents: [] }
  const dropped = { result: { end: { ...end, detail }, ...nothing }, task: plan.task, followUp: null }
  if (isNoLongerOurs(error)) return dropped
  return { ...dropped, unrecorded: { code: error instanceof UserError ? error.code : 'INTERNAL', message: detail } }
}

function isNoLongerOurs(error: unknown): boolean {
  return error instanceof UserError && (error.code === 'LEASE_LOST' || error.code === 'TASK_CLOSED')
}
