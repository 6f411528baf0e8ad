import type { DerivedStatus } from './task.ts'

export interface Counted {
  /** By whatever name its children call it. */
  uid: string
  parent: string | null
  status: DerivedStatus
}

/**
 * The tasks that are work of their own. A task that is done through others of the list is not counted beside them: a split
 * would make twice the work of it, and its progress would lag behind. One that runs or has failed itself is told all the same.
 */
export function countedTasks<T extends Counted>(tasks: readonly T[]): T[] {
  const parents = new Set(tasks.map(({ parent }) => parent))
  return tasks.filter(({ uid, status }) => !parents.has(uid) || status === 'in_progress' || status === 'failed')
}
