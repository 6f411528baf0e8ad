import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { topologicalOrder } from './critical-path.ts'
import { cycleUsing, cyclicComponents, findCycle } from './dependency-cycles.ts'

const graphOf = (edges: Record<string, string[]>) => new Map(Object.entries(edges))

const uid = fc.constantFrom(...'abcdefgh')
/** Small and dense, so that cycles, self-cycles, double edges and edges to unknown tasks all occur. */
const graph = fc.array(fc.tuple(uid, fc.array(fc.oneof(uid, fc.constant('nowhere')), { maxLength: 3 })), {
  maxLength: 8,
})
const anyGraph = graph.map((entries) => new Map(entries))

/** The definition in its simplest form: everything that can be reached by one edge or more. */
function reachable(graph: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const seen = new Set<string>()
  const queue = [from]
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next) || seen.has(next)) continue
      seen.add(next)
      queue.push(next)
    }
  }
  return seen
}

function expectCycle(graph: ReadonlyMap<string, readonly string[]>, cycle: readonly string[]): void {
  expect(new Set(cycle).size).toBe(cycle.length)
  cycle.forEach((node, at) => {
    expect(graph.get(node)).toContain(cycle[(at + 1) % cycle.length]!)
  })
}

const LONG = 100_000
const chain = new Map(Array.from({ length: LONG }, (_, n) => [`${n}`, n + 1 < LONG ? [`${n + 1}`] : []]))
const ring = new Map(Array.from({ length: LONG }, (_, n) => [`${n}`, [`${(n + 1) % LONG}`]]))

describe('findCycle', () => {
  test('names the whole cycle in order, and nothing before it', () => {
    expect(findCycle(graphOf({ start: ['a'], a: ['b'], b: ['c'], c: ['a'] }))).toEqual(['a', 'b', 'c'])
  })

  test('a task that waits for itself is a cycle of one', () => {
    expect(findCycle(graphOf({ a: ['b'], b: ['b'] }))).toEqual(['b'])
  })

  test('two ways to the same task are not a cycle', () => {
    expect(findCycle(graphOf({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toBeNull()
  })

  test('from a task, it is the shortest cycle through that task', () => {
    const graph = graphOf({ a: ['b', 'c'], b: ['d'], c: ['a'], d: ['a'] })
    expect(findCycle(graph, 'a')).toEqual(['a', 'c'])
    expect(findCycle(graph, 'd')).toEqual(['d', 'a', 'b'])
  })

  test('from a task, a cycle that it only leads to does not count', () => {
    expect(findCycle(graphOf({ new: ['a'], a: ['b'], b: ['a'] }), 'new')).toBeNull()
  })

  test('there is a cycle exactly when some task reaches itself, and the named tasks are one', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const cycle = findCycle(graph)
        expect(cycle !== null).toBe([...graph.keys()].some((node) => reachable(graph, node).has(node)))
        if (cycle) expectCycle(graph, cycle)
      }),
      { numRuns: 1000 },
    )
  })

  test('from a task, there is a cycle exactly when it reaches itself', () => {
    fc.assert(
      fc.property(anyGraph, uid, (graph, from) => {
        const cycle = findCycle(graph, from)
        expect(cycle !== null).toBe(reachable(graph, from).has(from))
        if (!cycle) return
        expect(cycle[0]).toBe(from)
        expectCycle(graph, cycle)
      }),
      { numRuns: 1000 },
    )
  })

  test('a chain and a cycle of 100,000 are not a problem', () => {
    expect(findCycle(chain)).toBeNull()
    expect(findCycle(ring)?.length).toBe(LONG)
    expect(findCycle(ring, '7')?.slice(0, 2)).toEqual(['7', '8'])
  })
})

describe('cycleUsing', () => {
  test('finds a cycle exactly if one of the edges is part of one, and begins with that edge', () => {
    fc.assert(
      fc.property(anyGraph, fc.array(fc.tuple(uid, uid), { maxLength: 3 }), (graph, wanted) => {
        const edges = wanted.filter(([from, to]) => graph.get(from)?.includes(to) && graph.has(to))
        const closing = edges.filter(([from, to]) => from === to || reachable(graph, to).has(from))
        const cycle = cycleUsing(graph, edges)
        expect(cycle !== null).toBe(closing.length > 0)
        if (cycle === null) return
        expectCycle(graph, cycle)
        expect([cycle[0], cycle[1] ?? cycle[0]]).toEqual([...(closing[0] ?? [])])
      }),
    )
  })

  test('a cycle that existed before is not blamed on the new edges', () => {
    expect(cycleUsing(graphOf({ new: ['a'], a: ['b'], b: ['a'] }), [['new', 'a']])).toBeNull()
  })
})

describe('cyclicComponents', () => {
  test('each component is listed once, in the order of the graph', () => {
    const graph = graphOf({ x: ['a'], c: ['a'], a: ['b'], b: ['c', 'x2'], x2: ['s'], s: ['s'], y: [] })
    expect(cyclicComponents(graph)).toEqual([['c', 'a', 'b'], ['s']])
  })

  test('two tasks are in one component exactly when each reaches the other', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const components = [...graph.keys()].filter((node) => reachable(graph, node).has(node))
        const expected = new Set(
          components.map((node) => [...graph.keys()].filter((other) => isCyclic(graph, node, other)).join()),
        )
        expect(cyclicComponents(graph).map((members) => members.join())).toEqual([...expected])
      }),
      { numRuns: 1000 },
    )
  })

  function isCyclic(graph: ReadonlyMap<string, readonly string[]>, a: string, b: string): boolean {
    return reachable(graph, a).has(b) && reachable(graph, b).has(a)
  }

  test('a chain and a cycle of 100,000 are not a problem', () => {
    expect(cyclicComponents(chain)).toEqual([])
    expect(cyclicComponents(ring).map((members) => members.length)).toEqual([LONG])
  })
})

describe('topologicalOrder', () => {
  test('dependencies come first, otherwise the order stays', () => {
    expect(topologicalOrder(graphOf({ c: ['a'], a: [], b: [], d: ['c', 'b', 'b'] }))).toEqual(['a', 'b', 'c', 'd'])
  })

  test('contains each task that no cycle blocks, after all its dependencies', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const order = topologicalOrder(graph)
        const onCycle = new Set([...graph.keys()].filter((node) => reachable(graph, node).has(node)))
        const free = [...graph.keys()].filter(
          (node) => !onCycle.has(node) && reachable(graph, node).isDisjointFrom(onCycle),
        )
        expect(order.toSorted()).toEqual(free.toSorted())
        for (const [at, node] of order.entries()) {
          expect(reachable(graph, node).isSubsetOf(new Set(order.slice(0, at)))).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('a chain of 100,000 is reversed, a cycle leaves nothing', () => {
    expect(topologicalOrder(chain).slice(0, 2)).toEqual([`${LONG - 1}`, `${LONG - 2}`])
    expect(topologicalOrder(ring)).toEqual([])
  })
})
