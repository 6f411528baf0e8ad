export type Graph = ReadonlyMap<string, readonly string[]>

/** Nodes are numbers here, and the edges of node n are targets[starts[n] .. starts[n + 1]]. */
export interface IndexedGraph {
  uids: string[]
  starts: Int32Array
  targets: Int32Array
}

export function indexGraph(graph: Graph): IndexedGraph {
  const indexes = new Map<string, number>()
  let edges = 0
  for (const [uid, dependencies] of graph) {
    indexes.set(uid, indexes.size)
    edges += dependencies.length
  }
  const starts = new Int32Array(indexes.size + 1)
  const targets = new Int32Array(edges)
  let [node, edge] = [0, 0]
  for (const dependencies of graph.values()) {
    for (const dependency of dependencies) {
      const target = indexes.get(dependency)
      if (target !== undefined) targets[edge++] = target
    }
    starts[++node] = edge
  }
  return { uids: [...indexes.keys()], starts, targets: targets.subarray(0, edge) }
}

/**
 * Sorts edges between numbered nodes by their start; `places` contains the original index of each. Edges with an end
 * below 0 are left out. It counts, because lists for each of 100,000 nodes took a third of all drawing time.
 */
export function placeEdges(
  nodes: number,
  edges: readonly (readonly [number, number])[],
): Pick<IndexedGraph, 'starts' | 'targets'> & { places: Int32Array } {
  const starts = new Int32Array(nodes + 1)
  for (const [from, to] of edges) if (from >= 0 && to >= 0) starts[from + 1] = at(starts, from + 1) + 1
  for (let node = 0; node < nodes; node++) starts[node + 1] = at(starts, node + 1) + at(starts, node)
  const cursor = starts.slice()
  const targets = new Int32Array(at(starts, nodes))
  const places = new Int32Array(targets.length)
  for (let place = 0; place < edges.length; place++) {
    const [from, to] = edges[place] as readonly [number, number]
    if (from < 0 || to < 0) continue
    const slot = at(cursor, from)
    cursor[from] = slot + 1
    targets[slot] = to
    places[slot] = place
  }
  return { starts, targets, places }
}

/** The same nodes with every edge reversed. */
export function reverseEdges({ uids, starts, targets }: IndexedGraph): IndexedGraph {
  const turned = { uids, starts: new Int32Array(starts.length), targets: new Int32Array(targets.length) }
  for (const target of targets) turned.starts[target + 1] = at(turned.starts, target + 1) + 1
  for (let node = 1; node < starts.length; node++)
    turned.starts[node] = at(turned.starts, node) + at(turned.starts, node - 1)
  const cursor = turned.starts.slice()
  for (let node = 0; node < uids.length; node++) {
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++) {
      const target = at(targets, edge)
      turned.targets[at(cursor, target)] = node
      cursor[target] = at(cursor, target) + 1
    }
  }
  return turned
}

/** Indices here are in range by construction. */
export function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0
}
