import type { DependencyKind } from '../graph/dependency-kinds.ts'
import { type IndexedGraph, placeEdges } from '../graph/indexed-graph.ts'
import { type Layers, layerGraph } from '../graph/layer-graph.ts'
import type { DerivedStatus } from '../task/task.ts'
import { printable } from '../text/printable.ts'

/** What any picture of the dependencies is made from. Tasks are known by their ids. */
export interface Drawing {
  tasks: DrawnTask[]
  edges: DrawnEdge[]
  /** Each depends on the next, the last on the first. */
  cycles: string[][]
  /** The one that was asked for. */
  asked: string | null
}

export interface DrawnTask {
  id: string
  /** 0: it is not in this ledger. */
  number: number
  key: string | null
  title: string
  status: DerivedStatus
}

export interface DrawnEdge {
  task: string
  needs: string
  /** The one that a line is drawn for. */
  kind: EdgeKind
  /** All of them, what somebody said first. */
  kinds: readonly EdgeKind[]
}

/** `child`: it is done through the other, its child. */
export const EDGE_KINDS = ['explicit', 'file', 'split', 'child'] as const
export type EdgeKind = DependencyKind | 'child'

/** `explicit+file`. */
export function kindWords({ kind, kinds }: Pick<DrawnEdge, 'kind' | 'kinds'>): string {
  return kinds.length < 2 ? kind : kinds.join('+')
}

export interface LayeredDrawing extends Layers {
  /** Its nodes are the tasks, in their order. */
  indexed: IndexedGraph
  /** For each edge of the graph its place among those of the drawing. */
  places: Int32Array
}

export function layerDrawing({ tasks, edges }: Drawing): LayeredDrawing {
  const nodes = new Map(tasks.map(({ id }, node) => [id, node]))
  const ends = edges.map(({ task, needs }) => [nodes.get(task) ?? -1, nodes.get(needs) ?? -1] as const)
  const { starts, targets, places } = placeEdges(tasks.length, ends)
  const indexed = { uids: tasks.map(({ id }) => id), starts, targets }
  return { indexed, places, ...layerGraph(indexed) }
}

/** Edges that are part of a loop, as `task needs`. */
export function loopEdges({ cycles }: Drawing): Set<string> {
  return new Set(cycles.flatMap((loop) => loop.map((id, at) => `${id} ${loop[(at + 1) % loop.length]}`)))
}

/** `#12 T2-a Title`, in characters that every picture can hold. */
export function captionOf({ number, id, key, title }: DrawnTask): string {
  return printable([number === 0 ? id : `#${number}`, key ?? '', title].filter(Boolean).join(' ')).toWellFormed()
}
