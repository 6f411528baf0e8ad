import type { Spot } from './lay-out.ts'

const SWEEPS = 12

/**
 * Orders each column by the mean place of the neighbours, alternately from the left and from the right, to reduce
 * crossings.
 */
export function orderSpots(columns: Spot[][]): void {
  for (const column of columns) number(column)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0
    for (const column of isForward ? columns.slice(1) : columns.slice(0, -1).toReversed())
      sortBy(column, (spot) => meanPlace(isForward ? spot.before : spot.after))
  }
}

/** Spots without neighbours on that side keep their places, and the others are sorted around them. */
function sortBy(column: Spot[], placeOf: (spot: Spot) => number | null): void {
  const movable = column.flatMap((spot) => {
    const place = placeOf(spot)
    return place === null ? [] : [{ spot, place }]
  })
  const sorted = movable.toSorted((a, b) => a.place - b.place || a.spot.y - b.spot.y)[Symbol.iterator]()
  const isMovable = new Set(movable.map(({ spot }) => spot))
  column.splice(
    0,
    column.length,
    ...column.map((spot) => (isMovable.has(spot) ? (sorted.next().value?.spot ?? spot) : spot)),
  )
  number(column)
}

/** Until the spots are aligned, y is the relative place in the column, because columns differ in length. */
function number(column: readonly Spot[]): void {
  column.forEach((spot, place) => {
    spot.y = (place + 0.5) / column.length
  })
}

function meanPlace(spots: readonly Spot[]): number | null {
  if (spots.length === 0) return null
  return spots.reduce((sum, { y }) => sum + y, 0) / spots.length
}
