import { stateWords } from '../../../core/graph/outline.ts'
import { boxOf } from '../../../core/task/status-predicates.ts'
import { printable } from '../../../core/text/printable.ts'
import type { TreeLine } from '../../../workspace/views/read-outline.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import { label } from '../task-text.ts'

const INDENT = '    '
const HERE = '<-- current position'
const NEAR = 2
/** The width to use without a terminal: an arrow further to the right is hard to assign to its line. */
const UNBOUND = 120

/** The tree of tasks: a box for each, its agent, and an arrow at the current position. */
export function* renderTree(
  lines: readonly TreeLine[],
  display: Display,
  options: { numbers: boolean },
): Iterable<string> {
  const shared = new Set(lines.filter(({ assigned_agent }) => assigned_agent !== null).map(siblingKey))
  const gutter = options.numbers ? widest(lines, ({ number }) => `#${number}`.length) + 1 : 0
  const byId = new Map(lines.map((line) => [line.id, line]))
  for (const line of lines) {
    const around = { isShared: shared.has(siblingKey(line)), plan: byId.get(line.parent ?? '')?.plan_file }
    const number = options.numbers ? padTo(`#${line.number}`, gutter) : ''
    const before = `${number}${INDENT.repeat(line.depth)}${boxOf(line)} `
    const note = suffixOf(line, around)
    const arrow = line.current ? arrowAfter(line, lines, { around, before, note, display }) : ''
    const others = display.width === null ? 0 : widthOf(before + note + arrow)
    const title = fitTo(printable(line.title), others, display)
    yield `${before}${title}${display.style.dim(note)}${display.style.yellow(arrow)}`
  }
}

interface Written {
  around: Around
  before: string
  note: string
  display: Display
}

/** One line has it, so only that line looks at all its siblings. */
function arrowAfter(line: TreeLine, lines: readonly TreeLine[], { around, before, note, display }: Written): string {
  const level = lines.filter((other) => siblingKey(other) === siblingKey(line))
  const most = (display.width ?? UNBOUND) - widthOf(before + note + HERE) - widthOf(printable(line.title))
  return ' '.repeat(Math.max(NEAR, Math.min(gapAfter(line, level, around), most))) + HERE
}

function siblingKey({ depth, parent }: TreeLine): string {
  return `${depth} ${parent ?? ''}`
}

interface Around {
  /** Whether agents work on its siblings. */
  isShared: boolean
  /** The plan of its parent: the same one is not printed again. */
  plan: string | null | undefined
}

function suffixOf(line: TreeLine, { isShared, plan }: Around): string {
  const own = line.plan_file !== null && line.plan_file !== plan ? [`plan: ${line.plan_file}`] : []
  const words = [...own, stateWords(line, { isShared })].filter((word) => word !== '')
  return words.length === 0 ? '' : ` (${printable(words.join(', '))})`
}

/** The arrow follows the longest of its siblings if there is room for that. */
function gapAfter(line: TreeLine, level: readonly TreeLine[], around: Around): number {
  const width = (one: TreeLine) => widthOf(printable(one.title) + suffixOf(one, around))
  return widest(level, width) - width(line) + NEAR
}

function widest(lines: readonly TreeLine[], width: (line: TreeLine) => number): number {
  return lines.reduce((most, line) => Math.max(most, width(line)), 0)
}

export function* renderPosition(
  { position, path }: { position: TreeLine | null; path: readonly TreeLine[] },
  display: Display,
): Iterable<string> {
  if (position === null) {
    yield 'Nothing is left to do.'
    return
  }
  const state = stateWords(position, { isShared: true })
  yield `${display.style.yellow(label(position, display))}: ${printable(position.title)}${display.style.dim(` (${printable(state)})`)}`
  if (path.length > 0) yield `in: ${path.map(({ title }) => printable(title)).join(' > ')}`
}
