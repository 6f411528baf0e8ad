/**
 * Positions for a picture in layers, from left to right. An edge across several layers passes through a spot in each
 * layer between, so that it crosses no box. The columns are then ordered by the positions of their neighbours.
 */
import { at } from '../graph/indexed-graph.ts'
import { alignSpots } from './align-nodes.ts'
import type { LayeredDrawing } from './drawing.ts'
import { orderSpots } from './order-nodes.ts'

/** A box, or a point that an edge passes through. */
export interface Spot {
  column: number
  /** The middle, in units of one box and its gap. */
  y: number
  height: number
  before: Spot[]
  after: Spot[]
}

export interface LaidOut {
  /** Indexed by node of the graph. */
  boxes: Spot[]
  /** For each edge of the graph, in its order: the spots from the needed task to the task that needs it. */
  routes: Spot[][]
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
  const boxes = indexed.uids.map((_, node) => spotIn(at(layers, node), 1))
  const routes = routeEdges(drawing, boxes)
  const pictures = connectedSpots(boxes).map((spots) => columnsOf(spots))
  const onCycle = new Set(routes.filter(([from, to]) => from && to && from.column >= to.column).flat())
  let height = 0
  for (const columns of pictures) {
    orderSpots(columns)
    alignSpots(columns)
    // Separate components are placed one below the other, with room for edges that lead back.
    const spots = columns.flat()
    for (const spot of spots) spot.y += height
    height = bottomOf(spots) + (spots.some((spot) => onCycle.has(spot)) ? 1 : 0)
  }
  return { boxes, routes, width: Math.max(0, ...pictures.map(({ length }) => length)), height }
}

function routeEdges({ indexed, layers, isBack }: LayeredDrawing, boxes: Spot[]): Spot[][] {
  const { uids, starts, targets } = indexed
  const isDirect = countPasses(indexed, layers) > MOST_PASSES
  const routes: Spot[][] = []
  for (let node = 0; node < uids.length; node++) {
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++) {
      const target = at(targets, edge)
      const [from, to] = [boxes[target] as Spot, boxes[node] as Spot]
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

function passing(from: Spot, to: Spot): Spot[] {
  const passes = Math.max(0, to.column - from.column - 1)
  return [from, ...Array.from({ length: passes }, (_, at) => spotIn(from.column + 1 + at, PASS_HEIGHT)), to]
}

function joinUp(route: readonly Spot[]): void {
  route.forEach((spot, index) => {
    const next = route[index + 1]
    if (next === undefined) return
    spot.after.push(next)
    next.before.push(spot)
  })
}

function spotIn(column: number, height: number): Spot {
  return { column, y: 0, height, before: [], after: [] }
}

/** The connected components of the spots. */
function connectedSpots(boxes: readonly Spot[]): Spot[][] {
  const seen = new Set<Spot>()
  return boxes.flatMap((box) => {
    if (seen.has(box)) return []
    seen.add(box)
    const found = [box]
    for (const spot of found) {
      for (const other of [...spot.before, ...spot.after]) {
        if (seen.has(other)) continue
        seen.add(other)
        found.push(other)
      }
    }
    return [found]
  })
}

function columnsOf(spots: readonly Spot[]): Spot[][] {
  const columns: Spot[][] = Array.from(
    { length: spots.reduce((most, { column }) => Math.max(most, column), 0) + 1 },
    () => [],
  )
  for (const spot of spots) columns[spot.column]?.push(spot)
  return columns
}

function bottomOf(spots: readonly Spot[]): number {
  return spots.reduce((most, { y, height }) => Math.max(most, y + height / 2), 0)
}
