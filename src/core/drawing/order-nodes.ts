import type { LayoutNode } from './layout-node.ts'

const SWEEPS = 12

/**
 * Orders each column by the mean place of the neighbours, alternately from the left and from the right, to reduce
 * crossings.
 */
export function orderNodes(columns: LayoutNode[][]): void {
  for (const column of columns) number(column)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0
    for (const column of isForward ? columns.slice(1) : columns.slice(0, -1).toReversed())
      sortBy(column, (node) => meanPlace(isForward ? node.before : node.after))
  }
}

/** Spots without neighbours on that side keep their places, and the others are sorted around them. */
function sortBy(column: LayoutNode[], placeOf: (node: LayoutNode) => number | null): void {
  const movable = column.flatMap((node) => {
    const place = placeOf(node)
    return place === null ? [] : [{ node, place }]
  })
  const sorted = movable.toSorted((a, b) => a.place - b.place || a.node.y - b.node.y)[Symbol.iterator]()
  const isMovable = new Set(movable.map(({ node }) => node))
  column.splice(
    0,
    column.length,
    ...column.map((node) => (isMovable.has(node) ? (sorted.next().value?.node ?? node) : node)),
  )
  number(column)
}

/** Until the nodes are aligned, y is the relative place in the column, because columns differ in length. */
function number(column: readonly LayoutNode[]): void {
  column.forEach((node, place) => {
    node.y = (place + 0.5) / column.length
  })
}

function meanPlace(nodes: readonly LayoutNode[]): number | null {
  if (nodes.length === 0) return null
  return nodes.reduce((sum, { y }) => sum + y, 0) / nodes.length
}
