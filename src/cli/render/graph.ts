import { type Drawing, EDGE_KINDS, type EdgeKind, layerDrawing, loopEdges } from '../../core/drawing/drawing.ts'
import { type TreeLine, treeLines } from '../../core/drawing/tree-lines.ts'
import { printable } from '../../core/printable.ts'
import type { Look } from '../face.ts'
import type { Ink } from '../ink.ts'
import { fitTo, widthOf } from './fit-to.ts'
import { glyph } from './status.ts'
import { plural, shortName } from './task-words.ts'

/** A line for each task, below what it waits for, with all that it needs and why; then the loops, and how much it is. */
export function* renderGraph(drawing: Drawing, look: Look): Iterable<string> {
  if (drawing.tasks.length === 0) return
  const layered = layerDrawing(drawing)
  const lineOf = lineWriter(drawing, look)
  for (const line of treeLines(layered, deepestFor(look))) yield lineOf(line)
  yield ''
  yield* loopLines(drawing, look)
  yield look.ink.dim(totals(drawing))
}

/** A third of the width for the indentation at most. */
function deepestFor({ width }: Look): number {
  return Math.max(3, Math.floor((width ?? 150) / 9))
}

function lineWriter(drawing: Drawing, look: Look): (line: TreeLine) => string {
  const names = new Map(drawing.tasks.map((task) => [task.id, nameIn(task, look)]))
  const needs = Map.groupBy(drawing.edges, ({ task }) => task)
  const inLoop = loopEdges(drawing)
  const inCycle = new Set(drawing.cycles.flat())
  const nameOf = (id: string) => names.get(id) ?? id
  return (line) => {
    if (line.kind === 'gap') return ''
    const indent = look.ink.dim(indentation(line.guides))
    if (line.kind === 'see') {
      const seen = line.nodes.map((node) => nameOf(drawing.tasks[node]?.id ?? ''))
      return `${indent}${look.ink.dim(`(see ${someOf(seen, ', ')})`)}`
    }
    const task = drawing.tasks[line.node] as Drawing['tasks'][0]
    const isLoop = inCycle.has(task.id)
    const name = [nameOf(task.id), printable(task.key ?? '')].filter(Boolean).join(' ')
    const suffix = needWords(needs.get(task.id) ?? [], nameOf, (needed) => inLoop.has(`${task.id} ${needed}`))
    const title = fitted(printable(task.title), [indentation(line.guides), name, suffix], look)
    const shown = styleFor(task, drawing, look)(`${name} ${title}`)
    return `${indent}${glyph(task.status, look)} ${shown}${isLoop ? look.ink.red(suffix) : look.ink.dim(suffix)}`
  }
}

/** Measured only where something must fit. */
function fitted(title: string, others: readonly string[], look: Look): string {
  if (look.width === null) return title
  return fitTo(
    title,
    others.reduce((sum, text) => sum + widthOf(text), GAPS),
    look,
  )
}

/** Behind the glyph and the name. */
const GAPS = 3

/** What can start stands out, and what the glyph tells by its colour the name does too. */
function styleFor({ id, status }: Drawing['tasks'][0], { asked }: Drawing, { ink }: Look): (text: string) => string {
  if (id === asked) return ink.bold
  const styles: Partial<Record<typeof status, Ink['dim']>> = {
    blocked: ink.dim,
    failed: ink.red,
    in_progress: ink.yellow,
  }
  return styles[status] ?? ((text) => text)
}

/** A task that this ledger does not hold has no number. */
function nameIn(task: Drawing['tasks'][0], look: Look): string {
  return task.number === 0 ? task.id : shortName(task, look)
}

function indentation(guides: readonly boolean[]): string {
  return guides
    .map((goesOn, at) => (at === guides.length - 1 ? (goesOn ? '├─ ' : '└─ ') : goesOn ? '│  ' : '   '))
    .join('')
}

type Need = Drawing['edges'][0]

/** ` ← #1, #3 explicit; #5 file`: what it needs, by kind. */
function needWords(needs: readonly Need[], nameOf: (id: string) => string, isLoop: (id: string) => boolean): string {
  if (needs.length === 0) return ''
  const kinds = EDGE_KINDS.flatMap((kind) => {
    const names = needs
      .filter((need) => need.kind === kind)
      .map((need) => `${nameOf(need.needs)}${isLoop(need.needs) ? '↺' : ''}`)
    return names.length === 0 ? [] : [`${someOf(names, ' ')} ${kind}`]
  })
  return ` ← ${kinds.join(', ')}`
}

const MOST_NAMES = 6

function someOf(names: readonly string[], between: string): string {
  if (names.length <= MOST_NAMES + 1) return names.join(between)
  return `${names.slice(0, MOST_NAMES).join(between)} and ${names.length - MOST_NAMES} more`
}

function* loopLines({ tasks, cycles }: Drawing, look: Look): Iterable<string> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  for (const loop of cycles) {
    const names = [...loop, ...loop.slice(0, 1)].flatMap((id) => byId.get(id) ?? []).map((task) => nameIn(task, look))
    yield look.ink.red(`DEADLOCK  ${names.join(' → ')} wait for each other`)
  }
}

function totals({ tasks, edges }: Drawing): string {
  const kinds = EDGE_KINDS.flatMap((kind) => {
    const count = countKind(edges, kind)
    return count === 0 ? [] : [`${count} ${kind}`]
  })
  const edgeWords = edges.length === 1 ? '1 dependency' : `${edges.length} dependencies`
  return `${plural(tasks.length, 'task')}, ${edgeWords}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`
}

function countKind(edges: readonly Need[], kind: EdgeKind): number {
  return edges.filter((edge) => edge.kind === kind).length
}
