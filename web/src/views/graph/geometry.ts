import type { Graph, GraphNode } from '../../api/types.ts'

export const BOX = { width: 200, height: 40 }
const STEP = { x: 260, y: 56 }
const MARGIN = 20

/** The whole picture, at its natural size. */
export function sizeOf({ width, height }: Graph): { width: number; height: number } {
  return { width: MARGIN * 2 + width * STEP.x - (STEP.x - BOX.width), height: MARGIN * 2 + (height + 1) * STEP.y }
}

/** The left upper corner of a box. */
export function placeOf({ x, y }: Pick<GraphNode, 'x' | 'y'>): { left: number; top: number } {
  return { left: MARGIN + x * STEP.x, top: MARGIN + y * STEP.y }
}

/** From the right side of one box to the left side of the next, with a curve in between. */
export function pathOf(route: Graph['edges'][number]['points']): string {
  const points = route.map(([column, row], index) => {
    const { left, top } = placeOf({ x: column, y: row })
    const across = index === 0 ? BOX.width : index === route.length - 1 ? 0 : BOX.width / 2
    return { x: left + across, y: top + BOX.height / 2 }
  })
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1]
      if (before === undefined) return `M ${x} ${y}`
      const middle = (before.x + x) / 2
      return `C ${middle} ${before.y} ${middle} ${y} ${x} ${y}`
    })
    .join(' ')
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** To the left is what a task needs, to the right what needs it, above and below its neighbours in the column. */
export function neighbour({ nodes, edges }: Graph, from: GraphNode, direction: Direction): GraphNode | null {
  const ids = new Set(
    direction === 'ArrowLeft'
      ? edges.filter(({ task }) => task === from.id).map(({ needs }) => needs)
      : edges.filter(({ needs }) => needs === from.id).map(({ task }) => task),
  )
  const isCandidate = (node: GraphNode): boolean => {
    if (direction === 'ArrowUp') return node.x === from.x && node.y < from.y
    if (direction === 'ArrowDown') return node.x === from.x && node.y > from.y
    return ids.has(node.id)
  }
  return nodes.filter(isCandidate).reduce<GraphNode | null>((best, node) => nearer(from, best, node), null)
}

function nearer(from: GraphNode, best: GraphNode | null, node: GraphNode): GraphNode {
  const distance = (other: GraphNode) => Math.abs(other.x - from.x) + Math.abs(other.y - from.y)
  return best === null || distance(node) < distance(best) ? node : best
}
