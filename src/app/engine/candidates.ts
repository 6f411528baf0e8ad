import { readLedger } from '../fresh-ledger.ts'
import type { LedgerView } from '../ledger-view.ts'
import type { ShiftState } from './shift.ts'
import type { WorkOptions } from './work.ts'
import { type Workable, workableOne, workableTask, workableTasks } from './workable.ts'

export type Candidate = Workable

/**
 * The uids of the tasks that a person named, or why one of them cannot be worked on. One that waits only for others
 * that were named may be named with them.
 */
export function checkNamed(view: LedgerView, { refs, takeOver = false }: WorkOptions): string[] {
  const named = new Set<string>()
  for (const ref of refs) named.add(workableTask(view, ref, { takeOver, among: named }).uid)
  return [...named]
}

/** The tasks that may start now, or after a pause, in the order in which they should. */
export function candidates(state: ShiftState): Candidate[] {
  const view = readLedger(state.ws)
  const one = (uid: string): Candidate[] => workableOne(view, state.config, uid)
  const followUps = [...state.followUps].flatMap(one)
  const others =
    state.named.length > 0
      ? state.named.flatMap((uid) => namedCandidate(view, state, uid))
      : workableTasks(view, state.config).filter(({ task }) => !state.followUps.has(task.uid))
  return [...followUps, ...others].filter(({ task }) => !state.setAside.has(task.uid))
}

/** A person who names a task means now: a pause after an earlier failure counts only between our own attempts. */
function namedCandidate(view: LedgerView, state: ShiftState, uid: string): Candidate[] {
  const isFirst = !state.tried.has(uid)
  const found = workableOne(view, state.config, uid, { takeOver: isFirst && (state.options.takeOver ?? false) })
  return found.map(({ task, notBefore }) => ({ task, notBefore: isFirst ? null : notBefore }))
}
