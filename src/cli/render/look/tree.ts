import { stateWords } from '../../../core/graph/outline.ts'
import { isFinished } from '../../../core/task/status.ts'
import { printable } from '../../../core/text/printable.ts'
import type { TreeLine } from '../../../workspace/views/read-outline.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import { label } from '../task-text.ts'

const INDENT = '    '
const HERE = '<-- current position'
const NEAR = 2
/** Columns in which the arrow is still seen to belong to its line, where there is no terminal to tell. */
const UNBOUND = 120

/** The tree of specification 004: a box for each task, who has it, and an arrow to where the work stands. */
export function* renderTree(
  lines: readonly TreeLine[],
  display: Display,
  options: { numbers: boolean },
): Iterable<string> {
  const levels = Map.groupBy(lines, siblingKey)
  const shared = new Set(lines.filter(({ assigned_agent }) => assigned_agent !== null).map(siblingKey))
  const gutter = options.numbers ? widest(lines, ({ number }) => `#${number}`.length) + 1 : 0
  const byId = new Map(lines.map((line) => [line.id, line]))
  for (const line of lines) {
    const level = levels.get(siblingKey(line)) ?? [line]
    const isShared = shared.has(siblingKey(line))
    const plan = byId.get(line.parent ?? '')?.plan_file
    const before = (options.numbers ? padTo(`#${line.number}`, gutter) : '') + INDENT.repeat(line.depth)
    const box = isFinished(line) ? '[x] ' : '[ ] '
    const note = suffixOf(line, { isShared, plan })
    const most = (display.width ?? UNBOUND) - widthOf(before + box + note + HERE) - widthOf(printable(line.title))
    const gap = Math.max(NEAR, Math.min(gapAfter(line, level, { isShared, plan }), most))
    const arrow = line.current ? ' '.repeat(gap) + HERE : ''
    const title = fitTo(printable(line.title), widthOf(before + box + note + arrow), display)
    yield `${before}${box}${title}${display.style.dim(note)}${display.style.yellow(arrow)}`
  }
}

function siblingKey({ depth, parent }: TreeLine): string {
  return `${depth} ${parent ?? ''}`
}

interface Around {
  /** Whether agents are at work among its siblings. */
  isShared: boolean
  /** The plan of the task it is a part of: the same need not be said again. */
  plan: string | null | undefined
}

function suffixOf(line: TreeLine, { isShared, plan }: Around): string {
  const own = line.plan_file !== null && line.plan_file !== plan ? [`plan: ${line.plan_file}`] : []
  const words = [...own, stateWords(line, { isShared })].filter((word) => word !== '')
  return words.length === 0 ? '' : ` (${printable(words.join(', '))})`
}

/** The arrow stands behind the longest of its siblings, as far as there is room for that. */
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
