import { at, type IndexedGraph } from './indexed-graph.ts'

export interface Components {
  /** For each node a number that all members of its component share. */
  component: Int32Array
  /** When the search finished a node. An edge to a node that was finished later, or to itself, closes a cycle. */
  finished: Int32Array
}

/** Once for each graph: a drawing needs both the cycles and the layers. */
export function stronglyConnected(graph: IndexedGraph): Components {
  const found = known.get(graph) ?? findComponents(graph)
  known.set(graph, found)
  return found
}

const known = new WeakMap<IndexedGraph, Components>()

/** Tarjan's algorithm with an explicit stack. */
function findComponents({ uids, starts, targets }: IndexedGraph): Components {
  const cursor = starts.slice()
  const found = new Int32Array(uids.length)
  const lowest = new Int32Array(uids.length)
  const component = new Int32Array(uids.length).fill(-1)
  const finished = new Int32Array(uids.length)
  const open: number[] = []
  let clock = 0
  let finish = 0
  for (let root = 0; root < uids.length; root++) {
    if (found[root] !== 0) continue
    const path = [root]
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      if (found[node] === 0) {
        clock++
        found[node] = clock
        lowest[node] = clock
        open.push(node)
      }
      const next = nextUnseen(node)
      if (next !== undefined) {
        path.push(next)
        continue
      }
      path.pop()
      finished[node] = finish++
      const above = path.at(-1)
      if (above !== undefined) lowest[above] = Math.min(at(lowest, above), at(lowest, node))
      if (lowest[node] === found[node]) close(node)
    }
  }
  return { component, finished }

  function nextUnseen(node: number): number | undefined {
    for (let edge = at(cursor, node); edge < at(starts, node + 1); edge++) {
      const target = at(targets, edge)
      cursor[node] = edge + 1
      if (found[target] === 0) return target
      if (component[target] === -1) lowest[node] = Math.min(at(lowest, node), at(found, target))
    }
    return undefined
  }

  function close(root: number): void {
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      component[member] = root
      if (member === root) return
    }
  }
}
