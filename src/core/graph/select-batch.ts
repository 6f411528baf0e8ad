import { normalPath } from '../text/normal-path.ts'

/** A ready task. Tasks may run together only if their files are disjoint. */
export interface Candidate {
  uid: string
  files: readonly string[]
}

/**
 * Takes candidates in their order until the slots are full. A task that declares no files may touch any. It still runs
 * next to others, because no overlap is known, and so it never waits forever.
 */
export function selectBatch<T extends Candidate>(ready: Iterable<T>, busyFiles: readonly string[], slots: number): T[] {
  const busy = new Set(busyFiles.map(normalPath))
  const batch: T[] = []
  for (const task of ready) {
    if (batch.length >= slots) break
    const files = task.files.map(normalPath)
    if (files.some((file) => busy.has(file))) continue
    for (const file of files) busy.add(file)
    batch.push(task)
  }
  return batch
}
