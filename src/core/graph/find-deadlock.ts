import type { DerivedStatus } from '../task/task.ts'
import { loopsOf } from './dependency-cycles.ts'

/** A task that is not over, as the question whether anything can run sees it. */
export interface OpenTask {
  uid: string
  status: DerivedStatus
  isOnHold: boolean
  /** Uids of what it waits for and is not over: dependencies and parts. */
  needs: readonly string[]
}

export interface Deadlock {
  /** How many tasks are left that nobody put aside. */
  left: number
  /** Uids of failed tasks that others wait for. */
  failed: string[]
  /** Of tasks that a person put aside. */
  onHold: string[]
  /** Of tasks that this ledger does not hold. */
  unknown: string[]
  /** In order: each waits for the next, the last for the first. */
  loops: string[][]
}

/** Nothing runs, nothing can start, and something is left: why, or null where that is not so. */
export function findDeadlock(tasks: readonly OpenTask[]): Deadlock | null {
  if (tasks.some((task) => task.status === 'in_progress' || canStart(task))) return null
  const left = tasks.filter(({ status, isOnHold }) => status !== 'failed' && !isOnHold)
  if (left.length === 0) return null
  const byUid = new Map(tasks.map((task) => [task.uid, task]))
  const needed = [...new Set(left.flatMap(({ needs }) => needs))]
  return {
    left: left.length,
    failed: needed.filter((uid) => byUid.get(uid)?.status === 'failed'),
    onHold: needed.filter((uid) => byUid.get(uid)?.isOnHold && byUid.get(uid)?.status !== 'failed'),
    unknown: needed.filter((uid) => !byUid.has(uid)),
    loops: loopsOf(new Map(left.map(({ uid, needs }) => [uid, needs]))),
  }
}

function canStart({ status, isOnHold, needs }: OpenTask): boolean {
  return status !== 'failed' && !isOnHold && needs.length === 0
}
