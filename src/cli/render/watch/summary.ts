import { command, sentenceText } from '../../../core/sentence.ts'
import type { Summary } from '../../../core/task/summarise.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import { type Display, programOf } from '../../terminal/display.ts'
import { fitTo, padTo, widthOf } from '../../terminal/fit-to.ts'

/** `limit`: at most so many names for each status, and milestones. `lines`: as many as there is room for. */
export interface SummaryRoom {
  limit?: number | undefined
  lines: number | null
}

export function* renderSummary(
  summary: Summary,
  display: Display,
  room: SummaryRoom = { lines: null },
): Iterable<string> {
  const { tasks, completed, in_progress, pending, failed, unverified } = summary
  yield display.style.bold(`${plural(tasks.total, 'task')}, ${tasks.progress} completed`)
  const statuses = Object.entries({ completed, in_progress, pending, failed, unverified })
  const used = statuses.filter(([, ids]) => ids.length > 0)
  const width = Math.max(NARROWEST_COUNT, String(tasks.total).length)
  for (const [word, ids] of used) yield idLine(countedWord(word, ids.length, width), ids, display, room)
  yield* milestoneLines(summary, display, room.limit ?? (room.lines === null ? null : room.lines - used.length - 1))
}

const WIDEST_WORD = 'in_progress'.length

const NARROWEST_COUNT = 4
/** Without a terminal. The whole lists are for programs, which read --json. */
const MOST_NAMES = 20

function countedWord(word: string, count: number, width: number): string {
  return `  ${padTo(word, WIDEST_WORD)}  ${String(count).padStart(width)}  `
}

function idLine(head: string, ids: readonly string[], display: Display, { limit, lines }: SummaryRoom): string {
  // Who asks for a number of names gets them, however wide the terminal is.
  const columns = limit !== undefined || display.width === null ? null : display.width - widthOf(head)
  return `${head}${display.style.dim(someOf(ids, columns, limit ?? lines ?? MOST_NAMES))}`
}

/** As many names as there is room for. */
function someOf(ids: readonly string[], columns: number | null, most: number): string {
  let text = ''
  for (const [at, id] of ids.entries()) {
    const next = `${text}${at === 0 ? '' : ', '}${printable(id)}`
    const rest = ids.length - at - 1
    const end = rest === 0 ? '' : ` and ${rest} more`
    if ((columns !== null && widthOf(next + end) > columns) || at === most)
      return text === '' ? '' : `${text} and ${rest + 1} more`
    text = next
  }
  return text
}

function* milestoneLines({ milestones, completed }: Summary, display: Display, most: number | null): Iterable<string> {
  const isDone = new Set(completed)
  const shown = most === null || milestones.length <= most ? milestones : firstOpen(milestones, Math.max(1, most - 1))
  const width = Math.max(0, ...shown.map(({ id }) => widthOf(printable(id))))
  for (const { id, name, status, task_ids } of shown) {
    const done = task_ids.filter((task) => isDone.has(task)).length
    const state = `  ${padTo(status, WIDEST_WORD)}  ${done}/${task_ids.length}`
    const title = name === id ? '' : `  ${fitTo(printable(name), width + widthOf(state) + 2, display)}`
    yield `${display.style.bold(padTo(printable(id), width))}${state}${display.style.dim(title)}`
  }
  const left = milestones.length - shown.length
  const all = sentenceText(command`milestones`, programOf(display.name))
  if (left > 0) yield display.style.dim(`… and ${plural(left, 'more milestone')}: ${all}`)
}

/** In their order, without completed ones as long as there are others. */
function firstOpen<T extends { status: string }>(milestones: readonly T[], most: number): T[] {
  const isOver = ({ status }: T) => Number(status === 'completed')
  const chosen = new Set(milestones.toSorted((a, b) => isOver(a) - isOver(b)).slice(0, most))
  return milestones.filter((milestone) => chosen.has(milestone))
}
