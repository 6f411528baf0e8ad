import { at, type IndexedGraph, reverseEdges } from './indexed-graph.ts'
import { stronglyConnected } from './strongly-connected.ts'

export interface Layers {
  /** For each node, the length of the longest chain before it: 0 waits for nothing. */
  layers: Int32Array
  /** Whether an edge is left out because it closes a cycle. Every other edge leads to a lower layer. */
  isBack(node: number, target: number): boolean
}

/** Puts every task one layer after the last task it needs. A cycle is cut where it returns to its first task. */
export function layerGraph(indexed: IndexedGraph): Layers {
  const { uids, starts, targets } = indexed
  const { finished } = stronglyConnected(indexed)
  const isBack = (node: number, target: number) => at(finished, target) >= at(finished, node)
  const followers = reverseEdges(indexed)
  const unmet = new Int32Array(uids.length)
  const layers = new Int32Array(uids.length)
  const order = new Int32Array(uids.length)
  let known = 0
  for (let node = 0; node < uids.length; node++) {
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++)
      if (!isBack(node, at(targets, edge))) unmet[node] = at(unmet, node) + 1
    if (unmet[node] === 0) order[known++] = node
  }
  for (let next = 0; next < known; next++) {
    const node = at(order, next)
    for (let edge = at(followers.starts, node); edge < at(followers.starts, node + 1); edge++) {
      const follower = at(followers.targets, edge)
      if (isBack(follower, node)) continue
      layers[follower] = Math.max(at(layers, follower), at(layers, node) + 1)
      unmet[follower] = at(unmet, follower) - 1
      if (unmet[follower] === 0) order[known++] = follower
    }
  }
  return { layers, isBack }
}
