/**
 * Rows of the index: a few as a list, many one after the other. A generator for a few would be slower than the rest of
 * the command, because the runtime starts a compiler thread after some thirty steps (0.4 ms). Lists are gone through
 * with loops: the runtime compiles map, filter and generators from their source when they are first used (0.05 ms each).
 */

export function mapRows<A, B>(rows: Iterable<A>, change: (row: A) => B): Iterable<B> {
  if (!Array.isArray(rows)) return mapEach(rows, change)
  const changed: B[] = []
  for (const row of rows) changed.push(change(row))
  return changed
}

export function filterRows<A>(rows: Iterable<A>, isWanted: (row: A) => boolean): Iterable<A> {
  if (!Array.isArray(rows)) return filterEach(rows, isWanted)
  const wanted: A[] = []
  for (const row of rows) if (isWanted(row)) wanted.push(row)
  return wanted
}

/** All rows of the first, then all of the second, and so on. */
export function joinRows<A>(...parts: Iterable<A>[]): Iterable<A> {
  const joined: A[] = []
  for (const rows of parts) {
    if (!Array.isArray(rows)) return joinEach(parts)
    for (const row of rows) joined.push(row)
  }
  return joined
}

export function isNone(rows: Iterable<unknown>): boolean {
  for (const _ of rows) return false
  return true
}

function* mapEach<A, B>(rows: Iterable<A>, change: (row: A) => B): Iterable<B> {
  for (const row of rows) yield change(row)
}

function* filterEach<A>(rows: Iterable<A>, isWanted: (row: A) => boolean): Iterable<A> {
  for (const row of rows) if (isWanted(row)) yield row
}

function* joinEach<A>(parts: readonly Iterable<A>[]): Iterable<A> {
  for (const rows of parts) yield* rows
}
