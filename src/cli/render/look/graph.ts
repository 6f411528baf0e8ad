import {
  cycleEdges,
  type Drawing,
  EDGE_KINDS,
  kindWords,
  type LayeredDrawing,
  layerDrawing,
} from '../../../core/drawing/drawing.ts'
import { type TreeLine, treeLines } from '../../../core/drawing/tree-lines.ts'
import { at } from '../../../core/graph/indexed-graph.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'
import type { Style } from '../../terminal/style.ts'
import { shortName } from '../task-text.ts'
import { glyph } from './status.ts'

/** A line for each task, below a dependency, with all its dependencies and their kinds; then the cycles and the totals. */
export function* renderGraph(drawing: Drawing, display: Display): Iterable<string> {
  if (drawing.tasks.length === 0) return
  const layered = layerDrawing(drawing)
  const lineOf = lineWriter(drawing, layered, display)
  for (const line of treeLines(layered, deepestFor(display))) yield lineOf(line)
  yield ''
  yield* cycleLines(drawing, display)
  yield display.style.dim(totals(drawing))
}

/** The indentation takes at most a third of the width. */
function deepestFor({ width }: Display): number {
  return Math.max(3, Math.floor((width ?? 150) / 9))
}

function lineWriter(drawing: Drawing, layered: LayeredDrawing, display: Display): (line: TreeLine) => string {
  const names = drawing.tasks.map((task) => nameIn(task, display))
  const wordsOf = needWriter(drawing, layered, names)
  const inCycle = new Set(drawing.cycles.flat())
  return (line) => {
    if (line.kind === 'gap') return ''
    const indent = display.style.dim(line.indent)
    if (line.kind === 'see') {
      const seen = line.nodes.map((node) => names[node] ?? '')
      return `${indent}${display.style.dim(`(see ${someOf(seen, ', ')})`)}`
    }
    const task = drawing.tasks[line.node] as Drawing['tasks'][0]
    const isCycle = inCycle.has(task.id)
    const own = names[line.node] ?? ''
    const name = task.key ? `${own} ${printable(task.key)}` : own
    const suffix = `${task.on_hold ? ' (on hold)' : ''}${wordsOf(line.node)}`
    const title = fitted(printable(task.title), [line.indent, name, suffix], display)
    const shown = styleFor(task, drawing, display)(`${name} ${title}`)
    return `${indent}${glyph(task.status, display)} ${shown}${isCycle ? display.style.red(suffix) : display.style.dim(suffix)}`
  }
}

/** Widths are measured only on a terminal: it takes time. */
function fitted(title: string, others: readonly string[], display: Display): string {
  if (display.width === null) return title
  return fitTo(
    title,
    others.reduce((sum, text) => sum + widthOf(text), GAPS),
    display,
  )
}

/** The spaces after the glyph and the name. */
const GAPS = 3

/** Tasks that can start are highlighted. Other names have the colour of their glyph. */
function styleFor(
  { id, status }: Drawing['tasks'][0],
  { asked }: Drawing,
  { style }: Display,
): (text: string) => string {
  if (id === asked) return style.bold
  const styles: Partial<Record<typeof status, Style['dim']>> = {
    blocked: style.dim,
    failed: style.red,
    in_progress: style.yellow,
  }
  return styles[status] ?? ((text) => text)
}

/** A task that is not in this ledger has no number. */
function nameIn(task: Drawing['tasks'][0], display: Display): string {
  return task.number === 0 ? task.id : shortName(task, display)
}

/** ` ← #1 #3 explicit, #5 file`: what a task needs, by kind. */
function needWriter(drawing: Drawing, { indexed, places }: LayeredDrawing, names: readonly string[]) {
  const inCycle = cycleEdges(drawing)
  const { uids, starts, targets } = indexed
  return (node: number): string => {
    const byKind = new Map<string, string[]>()
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++) {
      const target = at(targets, edge)
      const kind = kindWords(drawing.edges[at(places, edge)] as Drawing['edges'][0])
      const isCycle = inCycle.size > 0 && inCycle.has(`${uids[node]} ${uids[target]}`)
      const name = isCycle ? `${names[target]}↺` : (names[target] ?? '')
      const known = byKind.get(kind)
      if (known) known.push(name)
      else byKind.set(kind, [name])
    }
    if (byKind.size === 0) return ''
    return ` ← ${inOrder(byKind)
      .map(([kind, some]) => `${someOf(some, ' ')} ${kind}`)
      .join(', ')}`
  }
}

/** `explicit+file` follows `explicit`. */
function inOrder<T>(byKind: ReadonlyMap<string, T>): [string, T][] {
  const all = [...byKind]
  if (all.length < 2) return all
  const rank = (kind: string) => EDGE_KINDS.findIndex((first) => kind.startsWith(first))
  return all.sort(([a], [b]) => rank(a) - rank(b) || a.length - b.length)
}

const MOST_NAMES = 6

function someOf(names: readonly string[], between: string): string {
  if (names.length <= MOST_NAMES + 1) return names.join(between)
  return `${names.slice(0, MOST_NAMES).join(between)} and ${names.length - MOST_NAMES} more`
}

function* cycleLines({ tasks, cycles }: Drawing, display: Display): Iterable<string> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  for (const cycle of cycles) {
    const names = [...cycle, ...cycle.slice(0, 1)]
      .flatMap((id) => byId.get(id) ?? [])
      .map((task) => nameIn(task, display))
    yield display.style.red(`DEADLOCK  ${names.join(' → ')} wait for each other`)
  }
}

function totals({ tasks, edges }: Drawing): string {
  const counts = new Map<string, number>()
  for (const edge of edges) counts.set(kindWords(edge), (counts.get(kindWords(edge)) ?? 0) + 1)
  const kinds = inOrder(counts).map(([kind, count]) => `${count} ${kind}`)
  const edgeWords = plural(edges.length, 'dependency', 'dependencies')
  return `${plural(tasks.length, 'task')}, ${edgeWords}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`
}
