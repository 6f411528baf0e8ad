import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Drawing, DrawnTask, EdgeKind } from './drawing.ts'
import { layerDrawing } from './drawing.ts'
import { layOut } from './lay-out.ts'
import { toDot } from './to-dot.ts'
import { toMermaid } from './to-mermaid.ts'
import { toSvg } from './to-svg.ts'
import { treeLines } from './tree-lines.ts'

const task = (number: number, fields: Partial<DrawnTask> = {}): DrawnTask => ({
  id: `task-${number}`,
  number,
  key: null,
  title: `Title ${number}`,
  status: 'pending',
  ...fields,
})

/** `[2, 1]`: task 2 needs task 1. */
const drawingOf = (tasks: DrawnTask[], edges: [number, number, EdgeKind?][], cycles: number[][] = []): Drawing => ({
  tasks,
  edges: edges.map(([from, to, kind = 'explicit']) => ({
    task: `task-${from}`,
    needs: `task-${to}`,
    kind,
    kinds: [kind],
  })),
  cycles: cycles.map((cycle) => cycle.map((number) => `task-${number}`)),
  asked: null,
})

const HOSTILE = 'a "b" \\N <script>alert(1)</script> & \' `c` #quot; ]]> \u0000\u001b[2J\ud800 | end'

describe('mermaid', () => {
  test('a flowchart with an arrow for each kind, and the styles of the statuses', () => {
    const drawing = drawingOf([task(1, { status: 'completed' }), task(2, { key: 'T1-b' })], [[2, 1, 'split']])
    const lines = [...toMermaid({ ...drawing, asked: 'task-2' })]
    expect(lines.slice(0, 4)).toEqual([
      'flowchart LR',
      '  t1["#35;1 Title 1"]:::completed',
      '  t2["#35;2 T1-b Title 2"]:::pending',
      '  t1 ==>|split| t2',
    ])
    expect(lines.slice(-2)).toEqual([
      '  classDef skipped fill:#ffffff,stroke:#8a919e,color:#4b5563',
      '  style t2 stroke-width:4px',
    ])
  })

  test('nothing in a title ends it or is read as markup', () => {
    const [, line = ''] = [...toMermaid(drawingOf([task(1, { title: HOSTILE })], []))]
    expect(line).toMatch(/^ {2}t1\["[\p{L}\p{N} .,:/()+\-=#;]*"\]:::pending$/u)
  })
})

describe('dot', () => {
  test('quotes and backslashes of a title stay text, and a cycle is red', () => {
    const drawing = drawingOf(
      [task(1, { title: 'a "b" \\N' }), task(2)],
      [
        [1, 2, 'file'],
        [2, 1],
      ],
      [[1, 2]],
    )
    const lines = [...toDot(drawing)]
    expect(lines[4]).toStartWith('  "task-1" [label="#1 a \\"b\\" \\\\N", fillcolor=')
    expect(lines.slice(-3)).toEqual([
      '  "task-2" -> "task-1" [label="file", style=dashed, color="#c53030"]',
      '  "task-1" -> "task-2" [label="explicit", style=solid, color="#c53030"]',
      '}',
    ])
  })
})

describe('svg', () => {
  test('a hostile title is text: it adds no element and no character that XML forbids', () => {
    const svg = [...toSvg(drawingOf([task(1, { title: HOSTILE, key: '<x>' }), task(2)], [[2, 1]]))].join('\n')
    const elements = new Set([...svg.matchAll(/<\/?([^\s>/]+)/g)].map(([, name]) => name))
    expect([...elements].sort()).toEqual(['clipPath', 'defs', 'g', 'marker', 'path', 'rect', 'svg', 'text', 'title'])
    expect(svg.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\ufffe\uffff]|&(?!#\d+;)/u)
    expect(svg.isWellFormed()).toBe(true)
  })

  test('tasks without any dependency have a box too', () => {
    const svg = [...toSvg(drawingOf([task(1), task(2), task(3)], [[2, 1]]))].join('\n')
    expect(svg.match(/<g transform/g)).toHaveLength(3)
  })
})

const anyDrawing = fc
  .record({
    count: fc.integer({ min: 1, max: 25 }),
    edges: fc.array(fc.tuple(fc.nat(24), fc.nat(24)), { maxLength: 50 }),
  })
  .map(({ count, edges }) => {
    const tasks = Array.from({ length: count }, (_, at) => task(at + 1))
    const own = edges.map(([from, to]): [number, number] => [(from % count) + 1, (to % count) + 1])
    return drawingOf(tasks, own)
  })

test('boxes do not overlap, and every edge leads to the right unless it closes a cycle', () => {
  fc.assert(
    fc.property(anyDrawing, (drawing) => {
      const layered = layerDrawing(drawing)
      const { boxes, routes } = layOut(layered)
      for (const column of Map.groupBy(boxes, (box) => box.column).values()) {
        const heights = column.map(({ y }) => y).sort((a, b) => a - b)
        heights.forEach((y, at) => {
          if (at > 0) expect(y - (heights[at - 1] ?? 0)).toBeGreaterThan(0.999)
        })
      }
      expect(routes).toHaveLength(drawing.edges.length)
      for (const [from, ...others] of routes) {
        const columns = [from, ...others].map((node) => node?.column ?? -1)
        const isForward = columns.every((column, at) => at === 0 || column === (columns[at - 1] ?? 0) + 1)
        expect(isForward || columns.length === 2).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})

describe('the tree', () => {
  const drawn = (drawing: Drawing, deepest = 9) =>
    [...treeLines(layerDrawing(drawing), deepest)].map((line) => {
      if (line.kind === 'gap') return '-'
      const names = (line.kind === 'see' ? line.nodes : [line.node]).map((node) => drawing.tasks[node]?.number)
      return `${line.indent.replaceAll(' ', '')}${line.kind === 'see' ? 'see ' : ''}${names.join(',')}`
    })
  const tasks = (count: number) => Array.from({ length: count }, (_, at) => task(at + 1))

  test('a task is below the last task it needs; tasks without dependencies come last', () => {
    expect(
      drawn(
        drawingOf(tasks(6), [
          [2, 1],
          [3, 1],
          [3, 2],
          [4, 1],
          [6, 4],
        ]),
      ),
    ).toEqual(['1', '├─2', '│└─3', '└─4', '└─6', '-', '5'])
  })

  test('a branch that is too deep becomes a tree of its own, and the cut names it', () => {
    expect(
      drawn(
        drawingOf(tasks(5), [
          [2, 1],
          [3, 2],
          [4, 3],
          [5, 4],
        ]),
        1,
      ),
    ).toEqual(['1', '└─2', '└─see 3', '3', '└─4', '└─see 5', '5'])
  })

  test('every task has exactly one line, whatever the graph', () => {
    fc.assert(
      fc.property(anyDrawing, fc.integer({ min: 1, max: 4 }), (drawing, deepest) => {
        const lines = [...treeLines(layerDrawing(drawing), deepest)]
        const nodes = lines.flatMap((line) => (line.kind === 'task' ? [line.node] : []))
        expect(nodes.sort((a, b) => a - b)).toEqual([...drawing.tasks.keys()])
      }),
    )
  })

  test('a chain of 20,000 is cut into readable pieces, and the drawing ends', () => {
    const edges = Array.from({ length: 19_999 }, (_, at): [number, number] => [at + 2, at + 1])
    const lines = [...treeLines(layerDrawing(drawingOf(tasks(20_000), edges)), 8)]
    expect(Math.max(...lines.map((line) => (line.kind === 'gap' ? 0 : line.depth)))).toBe(9)
  })
})
