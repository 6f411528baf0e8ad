import { printable } from '../text/printable.ts'
/** A self-contained picture: no script, font or style from elsewhere, and every text is escaped. */

import type { DerivedStatus } from '../task/task.ts'
import { plural } from '../text/plural.ts'
import {
  captionOf,
  cycleEdges,
  type Drawing,
  type DrawnTask,
  EDGE_KINDS,
  type EdgeKind,
  kindWords,
  layerDrawing,
} from './drawing.ts'
import { type LaidOut, layOut } from './lay-out.ts'
import type { LayoutNode } from './layout-node.ts'
import { CYCLE_COLOUR, STATUS_COLOURS } from './palette.ts'

const BOX = { width: 216, height: 44 }
const GAP = { x: 84, y: 16 }
const MARGIN = 24
const LEGEND = 44

export function* toSvg(drawing: Drawing): Iterable<string> {
  const linked = new Set(drawing.edges.flatMap(({ task, needs }) => [task, needs]))
  const inGraph = drawing.tasks.filter(({ id }) => linked.has(id))
  const alone = drawing.tasks.filter(({ id }) => !linked.has(id))
  const layered = layerDrawing({ ...drawing, tasks: inGraph })
  const laid = layOut(layered)
  const grid = gridOf(alone.length, laid)
  yield* opening(grid, drawing)
  yield* edgeLines(drawing, laid, layered.indexed.uids)
  for (const [node, task] of inGraph.entries()) yield boxLine(task, cornerOf(laid.boxes[node] as LayoutNode), drawing)
  for (const [place, task] of alone.entries()) yield boxLine(task, grid.corner(place), drawing)
  yield* legend(grid.height - MARGIN)
  yield '</svg>'
}

interface Point {
  x: number
  y: number
}

interface Grid {
  width: number
  height: number
  corner(place: number): Point
}

/** Tasks without any dependency are below the others, row by row. */
function gridOf(alone: number, { width, height }: LaidOut): Grid {
  const perRow = Math.max(width, Math.ceil(Math.sqrt(alone / 3)), 3)
  const used = Math.max(width, Math.min(alone, perRow), 3)
  const rows = Math.ceil(alone / perRow)
  const step = { x: BOX.width + GAP.x, y: BOX.height + GAP.y }
  const top = MARGIN + height * step.y + (height > 0 && alone > 0 ? GAP.y : 0)
  return {
    width: MARGIN * 2 + used * step.x - GAP.x,
    height: top + rows * step.y + LEGEND + MARGIN,
    corner: (place) => ({ x: MARGIN + (place % perRow) * step.x, y: top + Math.floor(place / perRow) * step.y }),
  }
}

function cornerOf({ column, y }: LayoutNode): Point {
  return {
    x: MARGIN + column * (BOX.width + GAP.x),
    y: MARGIN + y * (BOX.height + GAP.y) - BOX.height / 2,
  }
}

function* opening({ width, height }: Grid, { tasks, edges }: Drawing): Iterable<string> {
  const size = `width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}"`
  yield `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif" role="img">`
  yield `<title>${plural(tasks.length, 'task')}, ${plural(edges.length, 'dependency', 'dependencies')}</title>`
  yield '<defs>'
  for (const [name, colour] of [
    ['arrow', LINE],
    ['cycle', CYCLE_COLOUR],
  ])
    yield `<marker id="${name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="${colour}"/></marker>`
  yield `<clipPath id="inside"><rect x="8" width="${BOX.width - 14}" height="${BOX.height}"/></clipPath>`
  yield '</defs>'
  yield '<rect width="100%" height="100%" fill="#ffffff"/>'
}

const LINE = '#64748b'
const DASHES: Record<EdgeKind, string> = {
  explicit: 'stroke-width="1.3"',
  file: 'stroke-width="1.3" stroke-dasharray="6 4"',
  split: 'stroke-width="2.6"',
  child: 'stroke-width="1.3" stroke-dasharray="1.5 4" stroke-linecap="round"',
}

function* edgeLines(drawing: Drawing, { routes, boxes }: LaidOut, ids: readonly string[]): Iterable<string> {
  const inCycle = cycleEdges(drawing)
  const nodes = new Map(ids.map((id, node) => [id, node]))
  const perTask = Map.groupBy(drawing.edges, ({ task }) => task)
  const inOrder = ids.flatMap((id) => perTask.get(id) ?? []).filter(({ needs }) => nodes.has(needs))
  for (const [index, edge] of inOrder.entries()) {
    const { task, needs, kind } = edge
    const isCycle = inCycle.has(`${task} ${needs}`)
    const route = routes[index] as LayoutNode[]
    const colour = isCycle ? CYCLE_COLOUR : LINE
    const line = `fill="none" stroke="${colour}" ${DASHES[kind]} marker-end="url(#${isCycle ? 'cycle' : 'arrow'})"`
    const [from, to] = [boxes[nodes.get(needs) ?? 0] as LayoutNode, boxes[nodes.get(task) ?? 0] as LayoutNode]
    const path = from.column < to.column ? forwardPath(route) : backPath(from, to)
    yield `<path d="${path}" ${line}><title>${escapeXml(`${task} needs ${needs} (${kindWords(edge)})`)}</title></path>`
  }
}

function forwardPath(route: readonly LayoutNode[]): string {
  const points = route.map((node) => ({ ...cornerOf(node), middle: cornerOf(node).y + BOX.height / 2 }))
  const [first, ...others] = points as [(typeof points)[0], ...typeof points]
  let path = `M${round(first.x + BOX.width)} ${round(first.middle)}`
  others.forEach(({ x, middle }, index) => {
    const before = points[index] as (typeof points)[0]
    const half = round(x - GAP.x / 2)
    path += `C${half} ${round(before.middle)} ${half} ${round(middle)} ${round(x)} ${round(middle)}`
    // An edge passes through a node horizontally, as it would through a box.
    if (index < others.length - 1) path += `H${round(x + BOX.width)}`
  })
  return path
}

/** From the needed task back to the task that needs it, below the boxes. */
function backPath(from: LayoutNode, to: LayoutNode): string {
  const [start, end] = [cornerOf(from), cornerOf(to)]
  const [x1, x2] = [start.x + BOX.width * 0.4, end.x + BOX.width * 0.6]
  const [y1, y2] = [start.y + BOX.height, end.y + BOX.height]
  const low = Math.max(y1, y2) + BOX.height + GAP.y
  return `M${round(x1)} ${round(y1)}C${round(x1)} ${round(low)} ${round(x2)} ${round(low)} ${round(x2)} ${round(y2)}`
}

function boxLine(task: DrawnTask, { x, y }: Point, { asked }: Drawing): string {
  const { fill, line, text } = STATUS_COLOURS[task.status]
  const name = [task.number === 0 ? task.id : `#${task.number}`, task.key ?? ''].filter(Boolean).join(' ')
  const width = task.id === asked ? 3 : 1.3
  const writing = (dy: number, size: number, words: string, extra = '') =>
    `<text x="10" y="${dy}" font-size="${size}" fill="${text}" clip-path="url(#inside)"${extra}>${escapeXml(words)}</text>`
  return [
    `<g transform="translate(${round(x)} ${round(y)})">`,
    `<title>${escapeXml(`${captionOf(task)} (${task.status})`)}</title>`,
    `<rect width="${BOX.width}" height="${BOX.height}" rx="7" fill="${fill}" stroke="${line}" stroke-width="${width}"/>`,
    writing(17, 11, `${cutText(name, 20)} · ${task.status}${task.on_hold ? ', on hold' : ''}`, ' opacity="0.75"'),
    writing(34, 13, cutText(task.title, 28)),
    '</g>',
  ].join('')
}

const LEGEND_STATUSES: DerivedStatus[] = ['pending', 'blocked', 'in_progress', 'completed', 'failed']

function* legend(bottom: number): Iterable<string> {
  const writing = (x: number, words: string) =>
    `<text x="${x}" y="${round(bottom)}" font-size="11" fill="#475569">${words}</text>`
  let x = MARGIN
  for (const kind of EDGE_KINDS) {
    yield `<path d="M${x} ${round(bottom - 4)}h28" fill="none" stroke="${LINE}" ${DASHES[kind]}/>${writing(x + 34, kind)}`
    x += 92
  }
  x += 12
  for (const status of LEGEND_STATUSES) {
    const { fill, line } = STATUS_COLOURS[status]
    yield `<rect x="${x}" y="${round(bottom - 10)}" width="12" height="12" rx="3" fill="${fill}" stroke="${line}"/>${writing(x + 18, status)}`
    x += 92
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Escapes foreign text for XML: nothing in it is markup, and no character that XML forbids remains. */
function escapeXml(text: string): string {
  return printable(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Cuts the text to this many columns of Latin letters. A wide character takes two. */
function cutText(text: string, columns: number): string {
  let used = 0
  let end = 0
  for (const character of text) {
    used += (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1
    if (used > columns) return `${text.slice(0, end).trimEnd()}…`
    if (used < columns) end += character.length
  }
  return text
}

/** Hangul, where wide characters begin. A few narrow characters above it lose a little room. */
const FIRST_WIDE = 0x1100
