import type { DependencyKind } from '../graph/dependency-kinds.ts'
import { type IndexedGraph, placeEdges } from '../graph/indexed-graph.ts'
import { type Layers, layerGraph } from '../graph/layer-graph.ts'
import type { DerivedStatus } from '../task/task.ts'
import { printable } from '../text/printable.ts'

/** The input of every picture of the dependencies. Tasks are identified by their ids. */
export interface Drawing {
  tasks: DrawnTask[]
  edges: DrawnEdge[]
  /** Each task depends on the next one, and the last on the first. */
  cycles: string[][]
  /** The task that the picture was requested for. */
  asked: string | null
  /** The same tasks and edges, in their order, as numbers; if they are known. */
  indexed?: IndexedGraph
}

export interface DrawnTask {
  id: string
  /** 0 if the task is not in this ledger. */
  number: number
  key: string | null
  title: string
  status: DerivedStatus
  on_hold?: boolean
}

export interface DrawnEdge {
  task: string
  needs: string
  /** The kind that decides how the line is drawn. */
  kind: EdgeKind
  /** All kinds of this edge, explicit ones first. */
  kinds: readonly EdgeKind[]
}

/** `child`: the other task is a child of this one, which is done when all its children are. */
export const EDGE_KINDS = ['explicit', 'file', 'split', 'child'] as const
export type EdgeKind = DependencyKind | 'child'

/** `explicit+file`. */
export function kindWords({ kind, kinds }: Pick<DrawnEdge, 'kind' | 'kinds'>): string {
  return kinds.length < 2 ? kind : kinds.join('+')
}

export interface LayeredDrawing extends Layers {
  /** The nodes are the tasks, in their order. */
  indexed: IndexedGraph
  /** For each edge of the graph, its index among the edges of the drawing. */
  places: Int32Array
}

export function layerDrawing({ tasks, edges, indexed: known }: Drawing): LayeredDrawing {
  // A picture may leave tasks out.
  const isWhole = known?.uids.length === tasks.length && known.targets.length === edges.length
  if (known !== undefined && isWhole) return { indexed: known, places: inOrder(edges.length), ...layerGraph(known) }
  const nodes = new Map(tasks.map(({ id }, node) => [id, node]))
  const ends = edges.map(({ task, needs }) => [nodes.get(task) ?? -1, nodes.get(needs) ?? -1] as const)
  const { starts, targets, places } = placeEdges(tasks.length, ends)
  const indexed = { uids: tasks.map(({ id }) => id), starts, targets }
  return { indexed, places, ...layerGraph(indexed) }
}

function inOrder(length: number): Int32Array {
  const places = new Int32Array(length)
  for (let place = 0; place < length; place++) places[place] = place
  return places
}

/** Edges that are part of a cycle, as `task needs`. */
export function cycleEdges({ cycles }: Drawing): Set<string> {
  return new Set(cycles.flatMap((cycle) => cycle.map((id, at) => `${id} ${cycle[(at + 1) % cycle.length]}`)))
}

/** `#12 T2-a Title (on hold)`, with characters that every format can hold. */
export function captionOf({ number, id, key, title, on_hold }: DrawnTask): string {
  const words = [number === 0 ? id : `#${number}`, key ?? '', title, on_hold ? '(on hold)' : '']
  return printable(words.filter(Boolean).join(' ')).toWellFormed()
}
