/**
 * The dependencies as an indented tree: what can start is at the left, and below it are the tasks that wait for it.
 * Every task has one line, under the last task it needs, so its indentation is its layer. The line itself must name its
 * other dependencies.
 */
import { at } from '../graph/indexed-graph.ts'
import type { LayeredDrawing } from './drawing.ts'

export type TreeLine =
  | { kind: 'task'; node: number; depth: number; indent: string }
  /** Too deep to continue here: these tasks begin trees of their own further down. */
  | { kind: 'see'; nodes: number[]; depth: number; indent: string }
  | { kind: 'gap' }

/** `indent`: the lines on the left, which show for each level whether something follows. */
export function* treeLines(drawing: LayeredDrawing, deepest: number): Generator<TreeLine> {
  const below = followersBelow(drawing)
  const { uids, starts, targets } = drawing.indexed
  const needed = new Set(targets)
  const roots = [...uids.keys()].filter((node) => drawing.layers[node] === 0)
  const isAlone = (node: number) => !needed.has(node) && starts[node] === starts[node + 1]
  for (const root of roots.filter((node) => !isAlone(node))) yield* familyOf(root, below, deepest)
  const alone = roots.filter(isAlone)
  if (alone.length > 0 && alone.length < uids.length) yield { kind: 'gap' }
  for (const node of alone) yield { kind: 'task', node, depth: 0, indent: '' }
}

/** For each task, the tasks directly below it. */
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
    // `left` is the prefix of all lines below this one.
    const stack = [{ node: first, depth: 0, indent: '', left: '' }]
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { node, indent, left } = top
      yield { kind: 'task', node, depth: top.depth, indent }
      const nodes = below[node] ?? []
      if (nodes.length === 0) continue
      const depth = top.depth + 1
      if (depth > deepest) {
        further.push(...nodes)
        yield { kind: 'see', nodes, depth, indent: `${left}└─ ` }
        continue
      }
      for (let index = nodes.length - 1; index >= 0; index--) {
        const isLast = index === nodes.length - 1
        const lines = isLast
          ? { indent: `${left}└─ `, left: `${left}   ` }
          : { indent: `${left}├─ `, left: `${left}│  ` }
        stack.push({ node: nodes[index] ?? 0, depth, ...lines })
      }
    }
    // What was cut off here comes next, before all others.
    later.unshift(...further)
  }
}
