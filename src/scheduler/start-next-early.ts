/**
 * A run that only gza itself has still something to do for gives its slot to the next task before it is judged, tidied
 * away and written down: all that would only keep the next agent waiting.
 */
import { isOpen } from '../core/task/status.ts'
import type { Task } from '../core/task/task.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { linksOf } from '../state/index/dependency-rows.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { firstInLine } from './choose/choose-tasks.ts'
import type { Running, WorkSession } from './work-session.ts'

type Start = (state: WorkSession, task: Task) => Running | null

/** A large tree may take its time to be laid out; what an agent has done is not kept waiting for that. */
const HEAD_START_MS = 200

/** Over when the next one's agent is at work. Null: there is nobody to hand over to. */
export function startNextEarly(state: WorkSession, { run, task }: RunPlan, start: Start): Promise<void> | null {
  const own = state.running.get(run)
  // A shift that breaks off stops all of its runs and waits for them: it would not know of one that begins now.
  if (own === undefined || own.hasGivenUpSlot || own.abort.signal.aborted) return null
  const started = startSuccessor(state, task, start)
  if (started === null) return null
  own.hasGivenUpSlot = true
  // The loop waits for the end of those it knew of: now also for this one's.
  state.wake()
  return Promise.race([started.underWay, Bun.sleep(HEAD_START_MS)])
}

/** What breaks here is no failure of the run that makes room: it ends the loop, as it would there. */
function startSuccessor(state: WorkSession, task: Task, start: Start): Running | null {
  try {
    const successor = successorOf(state, task)
    return successor === null ? null : start(state, successor)
  } catch (error) {
    state.broken ??= error as Error
    state.wake()
    return null
  }
}

/**
 * The first in line, and only where nobody may be waiting for just this run's end. Else a task that comes earlier would
 * find the slot taken.
 */
function successorOf(state: WorkSession, task: Task): Task | null {
  const { slots, suspects, watcher, watchdog } = state
  // One worker does one thing after the other, and who is to be watched has nobody beside it.
  if (slots === 1 || suspects.size > 0 || watcher.stop.aborted || watcher.cancel.aborted) return null
  watchdog.look()
  return isAwaited(state, task) ? null : firstInLine(state)
}

/** By a task behind it or behind its parent, or by the review that comes with it. */
function isAwaited({ ws }: WorkSession, { uid, parent, create_review }: Task): boolean {
  if (parent !== undefined || create_review) return true
  const needing = linksOf(ws.state, readLedger(ws).row.lid, uid, 'needing')
  return needing.some(({ status, deleted }) => status !== null && isOpen({ status, deleted }))
}
