/**
 * Positions for a picture in layers, from left to right. An edge across several layers passes through a node in each
 * layer between, so that it crosses no box. The columns are then ordered by the positions of their neighbours.
 */
import { at } from '../graph/indexed-graph.ts'
import { alignNodes } from './align-nodes.ts'
import type { LayeredDrawing } from './drawing.ts'
import type { LayoutNode } from './layout-node.ts'
import { orderNodes } from './order-nodes.ts'

export interface LaidOut {
  /** Indexed by node of the graph. */
  boxes: LayoutNode[]
  /** For each edge of the graph, in its order: the nodes from the needed task to the task that needs it. */
  routes: LayoutNode[][]
  width: number
  height: number
}

/**
 * If edges pass through more layers than this in total, they are drawn straight: nobody reads such a picture box by
 * box.
 */
const MOST_PASSES = 20_000
const PASS_HEIGHT = 0.35

export function layOut(drawing: LayeredDrawing): LaidOut {
  const { indexed, layers } = drawing
  const boxes = indexed.uids.map((_, node) => nodeIn(at(layers, node), 1))
  const routes = routeEdges(drawing, boxes)
  const pictures = connectedNodes(boxes).map((nodes) => columnsOf(nodes))
  const onCycle = new Set(routes.filter(([from, to]) => from && to && from.column >= to.column).flat())
  let height = 0
  for (const columns of pictures) {
    orderNodes(columns)
    alignNodes(columns)
    // Separate components are placed one below the other, with room for edges that lead back.
    const nodes = columns.flat()
    for (const node of nodes) node.y += height
    height = bottomOf(nodes) + (nodes.some((node) => onCycle.has(node)) ? 1 : 0)
  }
  return { boxes, routes, width: Math.max(0, ...pictures.map(({ length }) => length)), height }
}

function routeEdges({ indexed, layers, isBack }: LayeredDrawing, boxes: LayoutNode[]): LayoutNode[][] {
  const { uids, starts, targets } = indexed
  const isDirect = countPasses(indexed, layers) > MOST_PASSES
  const routes: LayoutNode[][] = []
  for (let node = 0; node < uids.length; node++) {
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++) {
      const target = at(targets, edge)
      const [from, to] = [boxes[target] as LayoutNode, boxes[node] as LayoutNode]
      const route = isBack(node, target) || isDirect ? [from, to] : passing(from, to)
      routes.push(route)
      if (!isBack(node, target)) joinUp(route)
    }
  }
  return routes
}

function countPasses({ uids, starts, targets }: LayeredDrawing['indexed'], layers: Int32Array): number {
  let passes = 0
  for (let node = 0; node < uids.length; node++) {
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++)
      passes += Math.max(0, at(layers, node) - at(layers, at(targets, edge)) - 1)
  }
  return passes
}

function passing(from: LayoutNode, to: LayoutNode): LayoutNode[] {
  const passes = Math.max(0, to.column - from.column - 1)
  return [from, ...Array.from({ length: passes }, (_, at) => nodeIn(from.column + 1 + at, PASS_HEIGHT)), to]
}

function joinUp(route: readonly LayoutNode[]): void {
  route.forEach((node, index) => {
    const next = route[index + 1]
    if (next === undefined) return
    node.after.push(next)
    next.before.push(node)
  })
}

function nodeIn(column: number, height: number): LayoutNode {
  return { column, y: 0, height, before: [], after: [] }
}

/** The connected components of the nodes. */
function connectedNodes(boxes: readonly LayoutNode[]): LayoutNode[][] {
  const seen = new Set<LayoutNode>()
  return boxes.flatMap((box) => {
    if (seen.has(box)) return []
    seen.add(box)
    const found = [box]
    for (const node of found) {
      for (const other of [...node.before, ...node.after]) {
        if (seen.has(other)) continue
        seen.add(other)
        found.push(other)
      }
    }
    return [found]
  })
}

function columnsOf(nodes: readonly LayoutNode[]): LayoutNode[][] {
  const columns: LayoutNode[][] = Array.from(
    { length: nodes.reduce((most, { column }) => Math.max(most, column), 0) + 1 },
    () => [],
  )
  for (const node of nodes) columns[node.column]?.push(node)
  return columns
}

function bottomOf(nodes: readonly LayoutNode[]): number {
  return nodes.reduce((most, { y, height }) => Math.max(most, y + height / 2), 0)
}
