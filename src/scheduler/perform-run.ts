import { asUserError } from '../core/machine-error.ts'
import { sentenceText } from '../core/sentence.ts'
import { errorWithHint, UserError } from '../core/user-error.ts'
import type { Slot } from '../engine/phase/run-context.ts'
import type { RunPlan, RunResult } from '../engine/phase/run-plan.ts'
import { failed, stoppedByPerson } from '../engine/phase/run-result.ts'
import type { YieldWhile } from '../engine/phase/semaphore.ts'
import type { Env } from '../platform/git/git.ts'
import { endSoonAfter } from '../platform/processes/run-briefly.ts'
import { abandonRun, type ConcludedRun, concludeRun, isNoLongerOurs } from '../runs/conclude-run.ts'
import { lookAtRemote } from '../runs/look-at-remote.ts'
import { openTaskRun, type TaskRun } from '../runs/open-task-run.ts'
import { recordStart } from '../runs/record-run.ts'
import { retireRun } from '../runs/retire-run.ts'
import { runTask } from '../runs/run-task.ts'
import { whileLocked } from '../runs/slots/locks.ts'
import type { TakenRun } from '../runs/take-run.ts'
import type { Lease } from '../state/live/leases.ts'
import type { AccountProbe } from './account-probe.ts'
import { unlessFailingOnBase } from './base/fails-on-base.ts'
import { mayHaveWorked, stopForFault } from './machine-fault.ts'
import type { WorkSession } from './work-session.ts'

interface Controls extends Pick<Slot, 'cancel' | 'startNextEarly'> {
  probe: AccountProbe
  /** Called each time its agent is called. */
  underWay: () => void
  /** Of its slot. */
  variables: Env
}

/**
 * One run from its lease to its release: started, run, ended, released, in this order and each exactly once. It never
 * throws: a run that cannot be started or recorded does not stop the others.
 */
export async function performRun(session: WorkSession, taken: TakenRun, controls: Controls): Promise<ConcludedRun> {
  const { ws, slots, watcher } = session
  const ending = endSoonAfter(controls.cancel, taken.plan.subject.run)
  try {
    if (taken.from !== null) await retireDead(session, taken.from)
    return await slots.semaphore.withPlace(async (yieldWhile) => {
      const run = openRun(session, taken, { ...controls, yieldWhile })
      await recordStart(ws, taken, session.isolation)
      run.context.recorder.step('started')
      const result = await runTask(run).catch((error: Error) => {
        // The process that stopped it has also ended the git processes that it was waiting for.
        return controls.cancel.aborted && !isNoLongerOurs(error)
          ? stoppedByPerson(ws.now())
          : describeFailure(session, taken.plan, error)
      })
      return await concludeRun(ws, taken, await unlessFailingOnBase(session, run, result))
    })
  } catch (error) {
    const fault = stopForFault(session, error, taken.plan.subject.run)
    if (fault === null) watcher.events.reported(errorWithHint(error as Error, '. '))
    const abandoned = abandonRun(ws, taken, error)
    const hasWorked = fault !== null && mayHaveWorked(ws, taken.plan.subject.run)
    return { ...abandoned, result: { ...abandoned.result, hasWorked } }
  } finally {
    ending.forget()
  }
}

/** Its worker died after this session began. */
async function retireDead({ ws, watcher }: WorkSession, dead: Lease): Promise<void> {
  const unseen = await lookAtRemote(ws)
  if (unseen !== null) watcher.events.reported(sentenceText(unseen))
  await retireRun(ws, dead)
}

function openRun(session: WorkSession, { plan }: TakenRun, controls: Controls & { yieldWhile: YieldWhile }): TaskRun {
  const { ws, config, watcher, services } = session
  const { events, stop } = watcher
  const { cancel, startNextEarly, probe, underWay, variables } = controls
  const holder = plan.subject.task.uid
  const yieldWhile: YieldWhile = (wait) => {
    underWay()
    return controls.yieldWhile(wait)
  }
  return openTaskRun(ws, config, plan, {
    slot: {
      ...{ cancel, stop, yieldWhile, startNextEarly },
      whileLocked: (names, work) => whileLocked(ws, { names, holder, cancel }, work),
    },
    variables,
    isolation: session.isolation,
    observer: {
      ...probe,
      called: (agent, report) => watcher.called?.(agent.name, report),
      progressed: (progress) => events.progress(plan, progress),
      reviewMoved: (at, news) => events.reviewMoved(plan, at, news),
    },
    others: { watchdog: services.watchdog, ownMoves: services.ownMoves, began: performance.now() },
  })
}

/** The run could not be carried out. */
function describeFailure(session: WorkSession, { subject }: RunPlan, thrown: Error): RunResult {
  const at = session.ws.now()
  if (isNoLongerOurs(thrown)) throw thrown
  const fault = stopForFault(session, thrown, subject.run)
  if (fault !== null) {
    const hasWorked = mayHaveWorked(session.ws, subject.run)
    return { ...failed(at, 'interrupted', `this machine: ${fault.message}`), hasWorked }
  }
  const error = asUserError(thrown)
  if (!(error instanceof UserError)) return failed(at, 'agent-error', thrown.stack ?? thrown.message)
  return failed(at, 'unworkable', errorWithHint(error, '. '))
}
