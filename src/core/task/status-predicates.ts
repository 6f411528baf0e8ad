/** Each question about a task's status is answered here, once. `state/index/status-sql.ts` has the same answers in SQL. */
import { DERIVED_STATUSES, type DerivedStatus, type Task } from './task.ts'

export interface HasStatus {
  status: DerivedStatus
}

/** Also a row of the index, where `deleted` is a number. */
export interface MayBeDeleted extends HasStatus {
  deleted?: boolean | number | null
}

/** Nothing is left to do. */
export function isFinished({ status }: HasStatus): boolean {
  return status === 'completed' || status === 'skipped'
}

/** Its box in a checklist. What was skipped is not done: a dash means given up, in plans too. */
export function boxOf(task: HasStatus): '[x]' | '[-]' | '[ ]' {
  if (task.status === 'skipped') return '[-]'
  return isFinished(task) ? '[x]' : '[ ]'
}

/** Something is left to do, also after a failure. A deleted task is not open. */
export function isOpen(task: MayBeDeleted): boolean {
  return !task.deleted && !isFinished(task)
}

export function openStatuses(): DerivedStatus[] {
  return DERIVED_STATUSES.filter((status) => isOpen({ status }))
}

/** By its stored status: neither finished nor failed. A deleted task is not pending. */
export function isPending(task: MayBeDeleted): boolean {
  return !task.deleted && task.status === 'pending'
}

/** By its derived status: pending or blocked, so nobody works on it. */
export function isUnstarted({ status }: HasStatus): boolean {
  return status === 'pending' || status === 'blocked'
}

/** A person has stopped it. A task that is finished no longer waits for anything. */
export function isOnHold(task: HasStatus & { on_hold?: boolean | number | null | undefined }): boolean {
  return Boolean(task.on_hold) && !isFinished(task)
}

/** Finished and archived. A task that was opened again is in every list, whatever was archived. */
export function isArchived(task: HasStatus & { archived?: boolean }): boolean {
  return task.archived === true && isFinished(task)
}

/** Was the task closed before its commit was made? Then that commit was made for it alone. */
export function hasWaitedForCommit({ closed_branch }: Pick<Task, 'closed_branch'>): boolean {
  return closed_branch !== undefined
}
