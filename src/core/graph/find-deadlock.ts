import type { DerivedStatus } from '../task/task.ts'
import { shortestCycles } from './dependency-cycles.ts'

/** An open task, reduced to what decides whether anything can run. */
export interface OpenTask {
  uid: string
  status: DerivedStatus
  isOnHold: boolean
  /** Uids of its unfinished dependencies and parts. */
  needs: readonly string[]
}

export interface Deadlock {
  /** How many tasks are left, without those that were put aside. */
  left: number
  /** Uids of failed tasks that others wait for. */
  failed: string[]
  /** Uids of tasks that a person put aside. */
  onHold: string[]
  /** Uids of tasks that are not in this ledger. */
  unknown: string[]
  /** In order: each waits for the next, the last for the first. */
  cycles: string[][]
}

/** Why nothing runs, nothing can start, and something is left; null if that is not so. */
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
    cycles: shortestCycles(new Map(left.map(({ uid, needs }) => [uid, needs]))),
  }
}

function canStart({ status, isOnHold, needs }: OpenTask): boolean {
  return status !== 'failed' && !isOnHold && needs.length === 0
}
