import type { DerivedStatus } from './task.ts'

export interface Counted {
  /** Any name, if its children use the same one. */
  uid: string
  parent: string | null
  status: DerivedStatus
}

/**
 * The tasks that count as separate work. A parent whose children are in the list is not counted in addition to them: a
 * split would double the work, and the progress would lag behind. A parent that is running or has failed itself is
 * counted anyway.
 */
export function countedTasks<T extends Counted>(tasks: readonly T[]): T[] {
  const parents = new Set(tasks.map(({ parent }) => parent))
  return tasks.filter(({ uid, status }) => !parents.has(uid) || status === 'in_progress' || status === 'failed')
}
