import { printable } from '../../../core/text/printable.ts'
import type { MovedTask, MoveReport } from '../../../tasks/move/move-tasks.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'

/** What moves along without being named comes first. */
export function* renderMoved({ from, to, moved, copied }: MoveReport, display: Display): Iterable<string> {
  for (const task of moved.filter(({ along }) => along)) yield movedLine(task, to, display)
  for (const task of moved.filter(({ along }) => !along)) yield movedLine(task, to, display)
  for (const task of copied) {
    const start = `${nameBefore(task, display)} is finished and stays on ${printable(from)}, copied to ${printable(to)}`
    yield titled(`${start}${newNumber(task)}`, task.title, display)
  }
}

function movedLine(task: MovedTask, to: string, display: Display): string {
  const mark = display.name === 'git-tasks' ? '' : `${display.style.green('✓')} `
  const along = task.along ? ' along' : ''
  const start = `${mark}${nameBefore(task, display)} moved${along} to ${printable(to)}${newNumber(task)}`
  return titled(start, task.title, display)
}

type Numbered = Pick<MovedTask, 'number' | 'number_before' | 'id'>

function nameBefore({ number_before, id }: Numbered, display: Display): string {
  return display.name === 'git-tasks' ? display.style.yellow(id) : `Task #${number_before}`
}

/** Another task may have its number there. */
function newNumber({ number, number_before }: Numbered): string {
  return number === number_before ? '' : ` as #${number}`
}

function titled(start: string, title: string, display: Display): string {
  return `${start}: ${fitTo(printable(title), widthOf(start) + 2, display)}`
}
