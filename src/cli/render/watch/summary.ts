import type { Summary } from '../../../core/task/summarise.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Display } from '../../terminal/display.ts'
import { padTo, widthOf } from '../../terminal/fit-to.ts'

export function* renderSummary(summary: Summary, display: Display): Iterable<string> {
  const { tasks } = summary
  yield display.style.bold(`${plural(tasks.total, 'task')}, ${tasks.progress} completed`)
  yield* idLine('completed', summary.completed, display)
  yield* idLine('in_progress', summary.in_progress, display)
  yield* idLine('pending', summary.pending, display)
  yield* idLine('failed', summary.failed, display)
  yield* idLine('unverified', summary.unverified, display)
  yield* milestoneLines(summary, display)
}

const WIDEST_WORD = 'in_progress'.length

function* idLine(word: string, ids: readonly string[], display: Display): Iterable<string> {
  if (ids.length === 0) return
  const head = `  ${padTo(word, WIDEST_WORD)}  ${String(ids.length).padStart(4)}  `
  yield `${head}${display.style.dim(someOf(ids.map(printableId), display.width === null ? null : display.width - widthOf(head)))}`
}

function printableId(id: string): string {
  return printable(id)
}

/** As many names as fit on the line; without a terminal, all of them. */
function someOf(ids: readonly string[], room: number | null): string {
  const all = ids.join(', ')
  if (room === null || widthOf(all) <= room) return all
  for (let shown = ids.length - 1; shown > 0; shown--) {
    const some = `${ids.slice(0, shown).join(', ')} and ${ids.length - shown} more`
    if (widthOf(some) <= room) return some
  }
  return ''
}

function* milestoneLines({ milestones, completed }: Summary, display: Display): Iterable<string> {
  const isDone = new Set(completed)
  const width = Math.max(0, ...milestones.map(({ id }) => widthOf(printable(id))))
  for (const { id, name, status, task_ids } of milestones) {
    const title = name === id ? '' : `  ${display.style.dim(printable(name))}`
    const done = task_ids.filter((task) => isDone.has(task)).length
    yield `${display.style.bold(padTo(printable(id), width))}  ${padTo(status, WIDEST_WORD)}  ${done}/${task_ids.length}${title}`
  }
}
