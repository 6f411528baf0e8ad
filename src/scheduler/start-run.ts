import { isOpen } from '../core/task/status-predicates.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { coreCount } from '../platform/processes/machine.ts'
import { agentNow, type ChosenAgent } from '../runs/choose-agent.ts'
import { type TakenSlot, takeSlot } from '../runs/slots/take-slot.ts'
import { type TakenRun, takeRun } from '../runs/take-run.ts'
import { workableTask } from '../runs/workable.ts'
import { linksOf } from '../state/index/dependency-rows.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { openAccountProbe } from './account-probe.ts'
import { firstInLine } from './choose/choose-tasks.ts'
import { mayCall } from './choose/may-call.ts'
import { stopForFault } from './machine-fault.ts'
import { performRun } from './perform-run.ts'
import { proveAgent, settleRun } from './settle-run.ts'
import { type Running, refuseTask, type WorkSession } from './work-session.ts'

/** Takes the task and starts its run. Null: it could not be started. */
export function startRun(session: WorkSession, task: Task): Running | null {
  const { ws, config, options, tasks } = session
  try {
    const view = readLedger(ws)
    if (!session.services.base.mayStart() || session.services.remote.mustLookBefore(task)) return null
    const isDown = (name: string) => session.report.down.some(({ agent }) => agent === name)
    const chosen = agentNow(ws, config, task, { ...options, isDown })
    if (!mayCall(session, view, task, chosen)) return null
    const slot = takeSlot(ws, config, task)
    if (slot === null) return null
    const taken = takeOrRelease(session, task, { chosen, slot })
    if (taken !== null) return launchRun(session, taken, { chosen, slot })
    // Another worker was faster. A person who named the task gets an error.
    if (tasks.named.includes(task.uid)) workableTask(readLedger(ws), task.id, options)
  } catch (error) {
    if (stopForFault(session, error, null) !== null) return null
    if (!(error instanceof UserError)) throw error
    refuseTask(session, task, error)
  }
  return null
}

/** Who does the task, and with which number, ports and locks. */
interface StartWith {
  chosen: ChosenAgent
  slot: TakenSlot
}

/** Takes the task. If that is not possible, its locks and its number are free again. */
function takeOrRelease(session: WorkSession, task: Task, { chosen, slot }: StartWith): TakenRun | null {
  const { ws, config, options, services } = session
  const red = services.base.red()
  // A base that fails only in a box has nothing that an agent could mend.
  const baseRed = red?.in_box ? null : (red?.detail ?? null)
  let taken: TakenRun | null = null
  try {
    taken = takeRun(readLedger(ws), config, task, { ...options, ...chosen, baseRed })
    return taken
  } finally {
    if (taken === null) slot.releaseAll()
  }
}

function launchRun(session: WorkSession, taken: TakenRun, { chosen: { insteadOf }, slot }: StartWith): Running {
  const { ws, tasks, slots, watcher } = session
  const { plan } = taken
  const { run, task } = plan.subject
  const abort = new AbortController()
  const isTrying = slots.count > 1 && !slots.proven.has(plan.worker.agent.name)
  const probe = openAccountProbe(ws, plan, { isTrying, prove: (agent) => proveAgent(session, agent) })
  if (!tasks.followUps.has(task.uid)) tasks.tried.add(task.uid)
  if (insteadOf !== null) watcher.events.reported(`${plan.worker.agent.name} stands in for ${insteadOf}`)
  watcher.events.started(plan)
  const { promise: underWay, resolve } = Promise.withResolvers<void>()
  const controls = {
    ...{ cancel: abort.signal, probe, underWay: resolve, variables: slot.env },
    startNextEarly: (isStored: boolean) => startNextEarly(session, plan, isStored),
  }
  const done = performRun(session, taken, controls)
    .then((finished) => settleRun(session, plan, finished))
    // A run that throws must not end the wait for the others, and the session may not be waiting for this one yet.
    .catch((error: Error) => {
      slots.broken ??= error
    })
    .finally(() => {
      resolve()
      slot.releaseAll()
      slots.running.delete(run)
    })
  const running = { plan, probe, abort, done, underWay, slot, successor: null, isStored: false }
  slots.running.set(run, running)
  return running
}

/** Creating a large worktree takes time. Finished work waits at most this long. */
const HEAD_START_MS = 200

/**
 * A run that needs no further agent and no further check gives its slot to the next task before its work is brought in,
 * judged, cleaned up and recorded, so that the next agent does not wait for that. Resolves when the next agent has
 * started. Null: no next task.
 */
function startNextEarly(session: WorkSession, { subject }: RunPlan, isStored: boolean): Promise<void> | null {
  const { slots } = session
  const own = slots.running.get(subject.run)
  if (own !== undefined) own.isStored = isStored
  if (!isStored && areManyUnstored(session)) return null
  if (slots.broken !== null || slots.fault !== null) return null
  // A session that is stopping would not wait for a run that starts now.
  if (own === undefined || own.abort.signal.aborted) return null
  if (own.successor !== null) return own.successor
  own.slot.releaseNumber()
  const started = startSuccessor(session, subject.task)
  if (started === null) return null
  own.successor = Promise.race([started.underWay, Bun.sleep(HEAD_START_MS)])
  // The session waits only for the runs it knew about. This makes it wait for the new one too.
  slots.wake()
  return own.successor
}

/**
 * Runs that begin go first, so what others have reported could wait for long on a slow machine, and a crash would lose
 * it. So only a few give up their slot before it is stored.
 */
function areManyUnstored({ slots }: WorkSession): boolean {
  const unstored = [...slots.running.values()].filter(({ successor, isStored }) => successor !== null && !isStored)
  return unstored.length >= coreCount()
}

/** An error here is not a failure of the run that gives up its slot: it ends the session. */
function startSuccessor(session: WorkSession, task: Task): Running | null {
  try {
    const successor = successorOf(session, task)
    return successor === null ? null : startRun(session, successor)
  } catch (error) {
    session.slots.broken ??= error as Error
    session.slots.wake()
    return null
  }
}

/**
 * The first task in order, and only if no task may wait for this run. Otherwise an earlier task would find the slot
 * taken.
 */
function successorOf(session: WorkSession, task: Task): Task | null {
  const { slots, tasks, watcher, services } = session
  // One worker works on one task at a time, and a suspect task runs alone.
  if (slots.count === 1 || tasks.suspects.size > 0 || watcher.stop.aborted || watcher.cancel.aborted) return null
  services.watchdog.look()
  return isAwaited(session, task) ? null : firstInLine(session)
}

/** Whether a task that depends on it or on its parent, or its own review, waits for it. */
function isAwaited({ ws }: WorkSession, { uid, parent, create_review }: Task): boolean {
  if (parent !== undefined || create_review) return true
  const needing = linksOf(ws.state, readLedger(ws).row.lid, uid, 'needing')
  return needing.some(({ status, deleted }) => status !== null && isOpen({ status, deleted }))
}
