import { isFinished } from '../../core/task/status-predicates.ts'
import type { DerivedStatus } from '../../core/task/task.ts'

/** Relations express that a task waits for others; it is not a separate state. */
export type SyncStatus = Exclude<DerivedStatus, 'blocked'>

/** The kinds of Linear's workflow states; each team names its own states. */
export type StateType = 'triage' | 'backlog' | 'unstarted' | 'started' | 'completed' | 'canceled' | 'duplicate'

/** The states of both sides at the last sync; null if that is unknown. */
export interface LastStep {
  ours: SyncStatus
  theirs: StateType
}

export type StatusStep =
  | { kind: 'none' }
  /** Move the issue to a state of that kind. */
  | { kind: 'push'; to: StateType }
  /** Close the task, or open it again. */
  | { kind: 'pull'; to: 'completed' | 'skipped' | 'pending' }

const NONE: StatusStep = { kind: 'none' }

/**
 * The side that changed since the last sync wins. If both did, or if it is unknown, what is finished stays finished.
 */
export function decideStatus(ours: SyncStatus, theirs: StateType, last: LastStep | null): StatusStep {
  if (isSame(ours, theirs)) return NONE
  const weMoved = last === null || last.ours !== ours
  const theyMoved = last === null || last.theirs !== theirs
  if (theyMoved && !weMoved) return pull(ours, theirs)
  if (weMoved && !theyMoved) return { kind: 'push', to: stateFor(ours) }
  if (!weMoved) return NONE
  if (isFinished({ status: ours })) return { kind: 'push', to: stateFor(ours) }
  if (isClosed(theirs)) return pull(ours, theirs)
  // Somebody has started in Linear what nobody works on here.
  return ours === 'in_progress' ? { kind: 'push', to: 'started' } : NONE
}

/** The kind of state for a status. Linear has none for a failure: the work still has to be done. */
export function stateFor(status: SyncStatus): StateType {
  switch (status) {
    case 'completed':
      return 'completed'
    case 'skipped':
      return 'canceled'
    case 'in_progress':
      return 'started'
    case 'pending':
    case 'failed':
      return 'unstarted'
  }
}

function pull(ours: SyncStatus, theirs: StateType): StatusStep {
  if (theirs === 'completed') return { kind: 'pull', to: 'completed' }
  if (isClosed(theirs)) return { kind: 'pull', to: 'skipped' }
  return isFinished({ status: ours }) ? { kind: 'pull', to: 'pending' } : NONE
}

function isClosed(type: StateType): boolean {
  return type === 'completed' || type === 'canceled' || type === 'duplicate'
}

function isSame(ours: SyncStatus, theirs: StateType): boolean {
  const wanted = stateFor(ours)
  if (wanted === theirs) return true
  if (wanted === 'unstarted') return theirs === 'backlog' || theirs === 'triage'
  return wanted === 'canceled' && theirs === 'duplicate'
}
