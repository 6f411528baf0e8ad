import { type Candidate, selectBatch } from './select-batch.ts'

/** A task that could be worked on, now or after others are done. */
export interface Plannable extends Candidate {
  /** Uids of the open tasks that must be done first. */
  needs: readonly string[]
  /** It rests after a failure: others go first. */
  isResting: boolean
}

/**
 * Which tasks would run together and in which sequence, if each task is completed and all tasks of a batch take the
 * same time. Real workers take the next task as soon as they are free. A task that needs one outside the plan is in no
 * batch.
 */
export function planBatches<T extends Plannable>(
  tasks: readonly T[],
  { slots, limit }: { slots: number; limit: number },
): T[][] {
  const batches: T[][] = []
  const done = new Set<string>()
  let isResting = tasks.some((task) => task.isResting)
  while (done.size < limit) {
    const ready = readyOf(tasks, done, isResting)
    const batch = selectBatch(ready, [], Math.min(slots, limit - done.size))
    if (batch.length > 0) batches.push(batch)
    else if (!isResting) break
    isResting = false
    for (const { uid } of batch) done.add(uid)
  }
  return batches
}

function* readyOf<T extends Plannable>(tasks: readonly T[], done: Set<string>, isResting: boolean): Generator<T> {
  for (const task of tasks) {
    if (done.has(task.uid) || (isResting && task.isResting)) continue
    if (task.needs.every((uid) => done.has(uid))) yield task
  }
}
