/**
 * Keeps agents working: takes tasks that may start, runs and records them, until none is left or a person stops it. The
 * runs are independent: one that fails does not stop the others. No agent outlives the session, whatever ends it.
 */

import { command } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { branchBusy, isBranchBusy } from '../runs/take-run.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { liveRun } from '../state/live/live-runs.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { whyNotWorkable } from './choose/check-named.ts'
import { chooseTasks, isWithinLimit } from './choose/choose-tasks.ts'
import { whyIdle } from './choose/why-idle.ts'
import { whyLocked } from './choose/why-not-running.ts'
import { startRun } from './start-run.ts'
import { openSessionWait } from './wait-for-change.ts'
import type { WorkReport } from './work-report.ts'
import { refuseTask, type WorkSession } from './work-session.ts'

const POLL_MS = 200

export async function runWorkSession(session: WorkSession): Promise<WorkReport> {
  const { watcher, slots, services } = session
  watcher.cancel.addEventListener('abort', () => stopAll(session))
  const waiting = openSessionWait(session)
  try {
    for (;;) {
      if (slots.broken !== null) throw slots.broken
      const waitUntil = isStopped(session) ? null : fillSlots(session)
      explainIdle(session)
      // A task that could not land may be open again.
      const isIdle = othersAtWork(session).length === 0
      if (slots.running.size === 0 && waitUntil === null && isIdle) {
        if (isStopped(session) || !(await waiting.wait())) break
        continue
      }
      if (slots.running.size > 0) waiting.end()
      await waitForChange(session, waitUntil)
    }
    if (!isStopped(session)) reportTaken(session)
    await services.lander.verifyBase()
  } finally {
    stopAll(session)
    await Promise.all([...slots.running.values()].map(({ done }) => done))
    await services.remote.looking()
    await services.base.checking()
    await services.lander.close()
    // Git continues it in the background, as it does after a commit.
    if (!watcher.cancel.aborted) await services.maintenance.close()
  }
  return { ...session.report, fault: slots.fault }
}

function isStopped({ watcher: { stop, cancel }, slots }: WorkSession): boolean {
  return stop.aborted || cancel.aborted || slots.fault !== null
}

function stopAll({ slots }: WorkSession): void {
  for (const { abort } of slots.running.values()) abort.abort()
}

/**
 * Starts the tasks that may start. Returns when to look again if nothing runs; null if there is nothing to wait for.
 */
function fillSlots(session: WorkSession): number | null {
  const { tasks, slots, services } = session
  services.watchdog.look()
  session.report.baseRed = null
  if (takenSlots(session) >= slots.count) return null
  const choice = chooseTasks(session)
  for (const { task } of choice.tasks) {
    if (takenSlots(session) >= slots.count || isSuspectRunning(session) || slots.fault !== null) break
    if (!isWithinLimit(tasks, task) || (tasks.suspects.has(task.uid) && slots.running.size > 0)) continue
    if (isHeldByBase(session)) break
    startRun(session, task)
  }
  return choice.waiting.length === 0 ? null : Math.min(...choice.waiting)
}

const LOOK_MS = 1000

/** For a person who sees fewer tasks running than there are slots. */
function explainIdle(session: WorkSession): void {
  const { watcher, slots } = session
  const free = slots.count - takenSlots(session)
  const isShort = free > 0 && slots.running.size > 0 && !isStopped(session)
  if (!isShort) watcher.idle?.(null)
  if (!isShort || watcher.idle === undefined || performance.now() - slots.explainedAt < LOOK_MS) return
  slots.explainedAt = performance.now()
  watcher.idle({ free, why: whyIdle(session) })
}

/** The base is being checked, or is red. It is reported, because a task would have started. */
function isHeldByBase({ services: { base }, report }: WorkSession): boolean {
  if (base.mayStart()) return false
  report.baseRed = base.checking() === null ? base.red() : null
  return true
}

/** What tasks may have to wait for besides runs. */
function othersAtWork({ services: { lander, remote, base } }: WorkSession): Promise<void>[] {
  return [lander.landing, remote.looking(), base.checking()].filter((other) => other !== null)
}

function takenSlots({ slots }: WorkSession): number {
  return [...slots.running.values()].filter(({ successor }) => successor === null).length
}

function isSuspectRunning({ slots, tasks }: WorkSession): boolean {
  return [...slots.running.values()].some(({ plan }) => tasks.suspects.has(plan.subject.task.uid))
}

/** Waits until a run ends, a person asks to stop one, or it is time to try a failed task again. */
async function waitForChange(session: WorkSession, waitUntil: number | null): Promise<void> {
  const { ws, slots } = session
  const pause = waitUntil === null ? POLL_MS : Math.min(POLL_MS, Math.max(1, waitUntil - ws.clock()))
  const { promise: woken, resolve } = Promise.withResolvers<void>()
  slots.wake = resolve
  const ends = [...[...slots.running.values()].map(({ done }) => done), ...othersAtWork(session)]
  await Promise.race([...ends, woken, Bun.sleep(pause)])
  for (const [run, { abort }] of slots.running) {
    if (ws.live !== null && typeof liveRun(ws.live, run)?.cancel === 'string') abort.abort()
  }
}

/** Another worker was faster between our first look and our choice, or has the branch. */
function reportTaken(session: WorkSession): void {
  const { ws, config, tasks } = session
  if (tasks.named.length === 0) return
  const view = readLedger(ws)
  for (const uid of tasks.named) {
    const task = taskOf(ws.state, view.row.lid, uid)
    if (task === null || tasks.tried.has(uid) || tasks.leftAlone.has(uid)) continue
    const why = whyNotWorkable(view, config.budgets, task, {})
    if (why?.code === 'TASK_RUNNING' || why?.code === 'TASK_CLOSED') refuseTask(session, task, why)
    else if (why === null && isBranchBusy(view, task)) refuseTask(session, task, branchBusy(view, task))
    const locked = why === null ? whyLocked(view, config, task) : null
    if (locked !== null) refuseTask(session, task, new UserError(locked.code, locked.detail, { hint: command`ps` }))
  }
}
