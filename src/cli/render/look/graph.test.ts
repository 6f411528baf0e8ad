import { expect, test } from 'bun:test'
import { GZA, onTerminal, TASKS, textOf } from '../../../../test/cli/displays.ts'
import type { Drawing } from '../../../core/drawing/drawing.ts'
import { renderGraph } from './graph.ts'

const named = (number: number, title: string) => ({
  id: `task-a00${number}`,
  number,
  key: null,
  title,
  status: 'blocked' as const,
})
const cycle: Drawing = {
  tasks: [named(1, 'One'), named(2, 'Two \u001b[2J'), { ...named(0, '(not in this ledger)'), id: 'task-77' }],
  edges: [
    { task: 'task-a001', needs: 'task-a002', kind: 'explicit', kinds: ['explicit'] },
    { task: 'task-a002', needs: 'task-a001', kind: 'split', kinds: ['split'] },
    { task: 'task-a002', needs: 'task-77', kind: 'explicit', kinds: ['explicit'] },
  ],
  cycles: [['task-a001', 'task-a002']],
  asked: null,
}

test('a loop is drawn, marked and named whole', () => {
  expect(textOf(renderGraph(cycle, GZA))).toBe(`○ task-77 (not in this ledger)
└─ ○ #2 Two \\x1b[2J ← task-77 explicit, #1↺ split
   └─ ○ #1 One ← #2↺ explicit

DEADLOCK  #1 → #2 → #1 wait for each other
3 tasks, 3 dependencies: 2 explicit, 1 split
`)
  expect(textOf(renderGraph(cycle, TASKS))).toContain(
    'DEADLOCK  task-a001 → task-a002 → task-a001 wait for each other\n',
  )
})

test('lines fit the terminal, and needs beyond six are counted', () => {
  const tasks = Array.from({ length: 12 }, (_, at) => ({
    ...named(at, 'A title of some length'.repeat(3)),
    number: at + 1,
    id: `task-${at}`,
  }))
  const edges = tasks
    .slice(0, 11)
    .map(({ id }) => ({ task: 'task-11', needs: id, kind: 'explicit' as const, kinds: ['explicit' as const] }))
  const lines = [...renderGraph({ tasks, edges, cycles: [], asked: null }, onTerminal(GZA, 70))].map((line) =>
    Bun.stripANSI(line),
  )
  expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBe(70)
  expect(lines.find((line) => line.includes('#12'))).toEndWith('… ← #1 #2 #3 #4 #5 #6 and 5 more explicit')
})
