import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findCycle } from './dependency-cycles.ts'
import { indexGraph } from './indexed-graph.ts'
import { layerGraph } from './layer-graph.ts'

const layersOf = (edges: Record<string, string[]>) => {
  const indexed = indexGraph(new Map(Object.entries(edges)))
  return Object.fromEntries([...layerGraph(indexed).layers].map((layer, node) => [indexed.uids[node], layer]))
}

test('a task is one layer after the last task it needs', () => {
  expect(layersOf({ a: [], b: ['a'], c: ['b', 'a'], d: ['a', 'c'], e: [] })).toEqual({ a: 0, b: 1, c: 2, d: 3, e: 0 })
})

test('a cycle is cut where it returns to its first task, and what waits for it comes after it', () => {
  expect(layersOf({ a: ['c', 'before'], b: ['a'], c: ['b'], behind: ['c'], before: [] })).toEqual({
    before: 0,
    b: 0,
    c: 1,
    a: 2,
    behind: 2,
  })
})

const name = fc.constantFrom(...'abcdefgh')
const anyGraph = fc
  .array(fc.tuple(name, fc.array(fc.oneof(name, fc.constant('nowhere')), { maxLength: 4 })), { maxLength: 8 })
  .map((entries) => new Map(entries))

test('every edge leads to a lower layer, except for some of a cycle', () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const indexed = indexGraph(graph)
      const { layers, isBack } = layerGraph(indexed)
      const nodes = new Map(indexed.uids.map((uid, node) => [uid, node]))
      const kept = new Map(
        [...graph].map(([uid, needs]) => [
          uid,
          needs.filter((need) => nodes.has(need) && !isBack(nodes.get(uid) ?? 0, nodes.get(need) ?? 0)),
        ]),
      )
      for (const [uid, needs] of kept) {
        const highest = Math.max(-1, ...needs.map((need) => layers[nodes.get(need) ?? 0] ?? 0))
        expect(layers[nodes.get(uid) ?? 0]).toBe(highest + 1)
      }
      if (findCycle(graph) === null)
        expect(kept).toEqual(new Map([...graph].map(([uid, needs]) => [uid, needs.filter((need) => nodes.has(need))])))
    }),
  )
})
