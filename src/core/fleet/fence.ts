/**
 * Which of two claims on a task is the newer one. The number of retries of an offer starts at 0 again with each new offer
 * for the same task, so it alone would go backwards.
 */
import type { Run, Task } from '../task/task.ts'

export interface Fence {
  /** Of the offer: one more than the highest of the task in the remote's ledger. */
  seq: number
  /** How often the offer was given out before. */
  claim: number
}

/** Below 0: `a` is older than `b`. */
export function compareFences(a: Fence, b: Fence): number {
  return a.seq - b.seq || a.claim - b.claim
}

/** Null for a run that no fleet has started. */
export function fenceOf({ seq, claim }: Run): Fence | null {
  return typeof seq === 'number' && typeof claim === 'number' ? { seq, claim } : null
}

/** Of all runs of the task; null if no fleet has ever started one. */
export function highestFence({ runs }: Pick<Task, 'runs'>): Fence | null {
  const fences = runs.flatMap((run) => fenceOf(run) ?? [])
  return fences.reduce<Fence | null>((best, each) => (best && compareFences(best, each) >= 0 ? best : each), null)
}

export function isAboveAll(task: Pick<Task, 'runs'>, fence: Fence): boolean {
  const highest = highestFence(task)
  return highest === null || compareFences(fence, highest) > 0
}

export function nextSeq(task: Pick<Task, 'runs'>): number {
  return (highestFence(task)?.seq ?? 0) + 1
}
