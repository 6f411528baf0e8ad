import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { allCycles, dependents, findCycle, loopUsing, topologicalOrder } from './dependency-cycles.ts'

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

function expectLoop(graph: ReadonlyMap<string, readonly string[]>, loop: readonly string[]): void {
  expect(new Set(loop).size).toBe(loop.length)
  loop.forEach((node, at) => {
    expect(graph.get(node)).toContain(loop[(at + 1) % loop.length]!)
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
        const loop = findCycle(graph)
        expect(loop !== null).toBe([...graph.keys()].some((node) => reachable(graph, node).has(node)))
        if (loop) expectLoop(graph, loop)
      }),
      { numRuns: 1000 },
    )
  })

  test('from a task, there is a cycle exactly when it reaches itself', () => {
    fc.assert(
      fc.property(anyGraph, uid, (graph, from) => {
        const loop = findCycle(graph, from)
        expect(loop !== null).toBe(reachable(graph, from).has(from))
        if (!loop) return
        expect(loop[0]).toBe(from)
        expectLoop(graph, loop)
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

describe('loopUsing', () => {
  test('finds a cycle exactly if one of the edges is part of one, and begins with that edge', () => {
    fc.assert(
      fc.property(anyGraph, fc.array(fc.tuple(uid, uid), { maxLength: 3 }), (graph, wanted) => {
        const edges = wanted.filter(([from, to]) => graph.get(from)?.includes(to) && graph.has(to))
        const closing = edges.filter(([from, to]) => from === to || reachable(graph, to).has(from))
        const loop = loopUsing(graph, edges)
        expect(loop !== null).toBe(closing.length > 0)
        if (loop === null) return
        expectLoop(graph, loop)
        expect([loop[0], loop[1] ?? loop[0]]).toEqual([...(closing[0] ?? [])])
      }),
    )
  })

  test('a cycle that existed before is not blamed on the new edges', () => {
    expect(loopUsing(graphOf({ new: ['a'], a: ['b'], b: ['a'] }), [['new', 'a']])).toBeNull()
  })
})

describe('allCycles', () => {
  test('each component is listed once, in the order of the graph', () => {
    const graph = graphOf({ x: ['a'], c: ['a'], a: ['b'], b: ['c', 'x2'], x2: ['s'], s: ['s'], y: [] })
    expect(allCycles(graph)).toEqual([['c', 'a', 'b'], ['s']])
  })

  test('two tasks are in one component exactly when each reaches the other', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const knots = [...graph.keys()].filter((node) => reachable(graph, node).has(node))
        const expected = new Set(
          knots.map((node) => [...graph.keys()].filter((other) => isKnotted(graph, node, other)).join()),
        )
        expect(allCycles(graph).map((members) => members.join())).toEqual([...expected])
      }),
      { numRuns: 1000 },
    )
  })

  function isKnotted(graph: ReadonlyMap<string, readonly string[]>, a: string, b: string): boolean {
    return reachable(graph, a).has(b) && reachable(graph, b).has(a)
  }

  test('a chain and a cycle of 100,000 are not a problem', () => {
    expect(allCycles(chain)).toEqual([])
    expect(allCycles(ring).map((knot) => knot.length)).toEqual([LONG])
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
        const onLoop = new Set([...graph.keys()].filter((node) => reachable(graph, node).has(node)))
        const free = [...graph.keys()].filter(
          (node) => !onLoop.has(node) && reachable(graph, node).isDisjointFrom(onLoop),
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

describe('dependents', () => {
  test('every task has an entry, and a dependency named twice or unknown adds nothing', () => {
    expect(dependents(graphOf({ a: [], b: ['a', 'a'], c: ['a', 'gone', 'b'] }))).toEqual(
      graphOf({ a: ['b', 'c'], b: ['c'], c: [] }),
    )
  })

  test('a depends on b exactly when b has the dependent a', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const reversed = dependents(graph)
        expect([...reversed.keys()]).toEqual([...graph.keys()])
        for (const [node, followers] of reversed) {
          expect(followers).toEqual([...graph.keys()].filter((other) => graph.get(other)?.includes(node)))
        }
      }),
    )
  })
})
