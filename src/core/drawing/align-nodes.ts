import type { Spot } from './lay-out.ts'

const PASSES = 10

/** Sets the height of each spot in its ordered column: close to its neighbours, without overlaps. */
export function alignSpots(columns: Spot[][]): void {
  for (const column of columns) stack(column)
  for (let pass = 0; pass < PASSES; pass++) {
    const isForward = pass % 2 === 0
    for (const column of isForward ? columns : columns.toReversed()) settle(column, isForward)
  }
  const top = columns.flat().reduce((least, { y, height }) => Math.min(least, y - height / 2), Number.POSITIVE_INFINITY)
  for (const column of columns) for (const spot of column) spot.y -= top
}

function stack(column: readonly Spot[]): void {
  let y = 0
  for (const spot of column) {
    spot.y = y + spot.height / 2
    y += spot.height
  }
}

/**
 * Moves each spot to its preferred place, corrected once from above and once from below. The mean of both passes keeps
 * the required distances, as both do, and favours neither end.
 */
function settle(column: readonly Spot[], isForward: boolean): void {
  const wished = column.map((spot) => wish(spot, isForward))
  const down: number[] = []
  column.forEach((spot, index) => {
    const above = column[index - 1]
    const least =
      above === undefined ? Number.NEGATIVE_INFINITY : (down[index - 1] ?? 0) + (above.height + spot.height) / 2
    down.push(Math.max(wished[index] ?? 0, least))
  })
  let most = Number.POSITIVE_INFINITY
  for (let index = column.length - 1; index >= 0; index--) {
    const spot = column[index] as Spot
    const up = Math.min(wished[index] ?? 0, most)
    spot.y = (up + (down[index] ?? 0)) / 2
    most = up - (spot.height + (column[index - 1]?.height ?? 0)) / 2
  }
}

function wish({ y, before, after }: Spot, isForward: boolean): number {
  const [first, second] = isForward ? [before, after] : [after, before]
  const near = first.length > 0 ? first : second
  return near.length === 0 ? y : near.reduce((sum, spot) => sum + spot.y, 0) / near.length
}
