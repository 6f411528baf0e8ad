import { normalPath } from '../text/normal-path.ts'

/** Files that running tasks touch. */
export interface BusyFiles {
  /** The files that were busy a moment ago: a task that wants one of them is not worth another look. */
  known: readonly string[]
  /** Reads the busy files of now; called at most once, and only for a task that declares files. */
  look(): readonly string[]
}

/** Like selectBatch, but one by one, on demand: few slots are free at a time. */
export function* takeDisjoint<T>(
  ready: Iterable<T>,
  filesOf: (candidate: T) => readonly string[],
  { known, look }: BusyFiles,
): Generator<T> {
  const wanted = (candidate: T) => filesOf(candidate).map(normalPath)
  let isFresh = false
  let busy = new Set(known.map(normalPath))
  let passedOver: T[] = []
  for (const next of ready) {
    const files = wanted(next)
    if (files.some((file) => busy.has(file))) {
      if (!isFresh) passedOver.push(next)
      continue
    }
    let again = [next]
    if (!isFresh && files.length > 0) {
      isFresh = true
      busy = new Set(look().map(normalPath))
      again = [...passedOver, next]
      passedOver = []
    }
    for (const candidate of again) if (reserve(busy, wanted(candidate))) yield candidate
  }
}

/** All or none. */
function reserve(busy: Set<string>, files: readonly string[]): boolean {
  if (files.some((file) => busy.has(file))) return false
  for (const file of files) busy.add(file)
  return true
}
