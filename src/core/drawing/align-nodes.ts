import type { LayoutNode } from './layout-node.ts'

const PASSES = 10

/** Sets the height of each node in its ordered column: close to its neighbours, without overlaps. */
export function alignNodes(columns: LayoutNode[][]): void {
  for (const column of columns) stack(column)
  for (let pass = 0; pass < PASSES; pass++) {
    const isForward = pass % 2 === 0
    for (const column of isForward ? columns : columns.toReversed()) settle(column, isForward)
  }
  const top = columns.flat().reduce((least, { y, height }) => Math.min(least, y - height / 2), Number.POSITIVE_INFINITY)
  for (const column of columns) for (const node of column) node.y -= top
}

function stack(column: readonly LayoutNode[]): void {
  let y = 0
  for (const node of column) {
    node.y = y + node.height / 2
    y += node.height
  }
}

/**
 * Moves each node to its preferred place, corrected once from above and once from below. The mean of both passes keeps
 * the required distances, as both do, and favours neither end.
 */
function settle(column: readonly LayoutNode[], isForward: boolean): void {
  const preferred = column.map((node) => preferredPlace(node, isForward))
  const down: number[] = []
  column.forEach((node, index) => {
    const above = column[index - 1]
    const least =
      above === undefined ? Number.NEGATIVE_INFINITY : (down[index - 1] ?? 0) + (above.height + node.height) / 2
    down.push(Math.max(preferred[index] ?? 0, least))
  })
  let most = Number.POSITIVE_INFINITY
  for (let index = column.length - 1; index >= 0; index--) {
    const node = column[index] as LayoutNode
    const up = Math.min(preferred[index] ?? 0, most)
    node.y = (up + (down[index] ?? 0)) / 2
    most = up - (node.height + (column[index - 1]?.height ?? 0)) / 2
  }
}

function preferredPlace({ y, before, after }: LayoutNode, isForward: boolean): number {
  const [first, second] = isForward ? [before, after] : [after, before]
  const near = first.length > 0 ? first : second
  return near.length === 0 ? y : near.reduce((sum, node) => sum + node.y, 0) / near.length
}
