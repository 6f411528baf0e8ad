/**
 * The dependencies as an indented tree: what can start stands left, and below it what waits for it. Every task has one
 * line, under the last of those it needs, so that its indentation is its layer. What else it needs the line must tell.
 */
import { at } from '../indexed-graph.ts'
import type { LayeredDrawing } from './drawing.ts'

export type TreeLine =
  | { kind: 'task'; node: number; guides: boolean[] }
  /** Too deep to go on here: these begin trees of their own further down. */
  | { kind: 'see'; nodes: number[]; guides: boolean[] }
  | { kind: 'gap' }

/** `guides`: for each step of indentation whether something follows at that level. */
export function* treeLines(drawing: LayeredDrawing, deepest: number): Generator<TreeLine> {
  const below = followersBelow(drawing)
  const { uids, starts, targets } = drawing.indexed
  const needed = new Set(targets)
  const roots = [...uids.keys()].filter((node) => drawing.layers[node] === 0)
  const isAlone = (node: number) => !needed.has(node) && starts[node] === starts[node + 1]
  for (const root of roots.filter((node) => !isAlone(node))) yield* familyOf(root, below, deepest)
  const alone = roots.filter(isAlone)
  if (alone.length > 0 && alone.length < uids.length) yield { kind: 'gap' }
  for (const node of alone) yield { kind: 'task', node, guides: [] }
}

/** For each task those that stand directly below it. */
function followersBelow({ indexed: { uids, starts, targets }, layers, isBack }: LayeredDrawing): number[][] {
  const below: number[][] = uids.map(() => [])
  for (let node = 0; node < uids.length; node++) {
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++) {
      const target = at(targets, edge)
      if (isBack(node, target) || layers[target] !== at(layers, node) - 1) continue
      below[target]?.push(node)
      break
    }
  }
  return below
}

function* familyOf(root: number, below: readonly number[][], deepest: number): Generator<TreeLine> {
  const later = [root]
  for (let first = later.shift(); first !== undefined; first = later.shift()) {
    const further: number[] = []
    const stack: TreeLine[] = [{ kind: 'task', node: first, guides: [] }]
    for (let line = stack.pop(); line !== undefined; line = stack.pop()) {
      yield line
      if (line.kind !== 'task') continue
      const { guides } = line
      const nodes = below[line.node] ?? []
      if (nodes.length === 0) continue
      if (guides.length >= deepest) {
        further.push(...nodes)
        stack.push({ kind: 'see', nodes, guides: [...guides, false] })
        continue
      }
      nodes.toReversed().forEach((node, fromEnd) => {
        stack.push({ kind: 'task', node, guides: [...guides, fromEnd > 0] })
      })
    }
    // What was cut off here comes next, not after all others.
    later.unshift(...further)
  }
}
