import { printable } from '../../../core/text/printable.ts'
import type { TodoView } from '../../../tasks/todo-items.ts'
import type { TaskView } from '../../../workspace/views/views.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'
import { label, shortName, statusWord, titleLine } from '../task-text.ts'

/** The items under their headings, with their numbers and the tasks made from them. */
export function* renderTodo(items: readonly TodoView[], display: Display): Iterable<string> {
  const width = String(items.at(-1)?.number ?? 0).length
  let heading: string | null = null
  for (const item of items) {
    if (item.heading !== heading && item.heading !== null) yield display.style.bold(printable(item.heading))
    heading = item.heading
    const note = noteOf(item, display)
    const start = `${String(item.number).padStart(width)}. ${'  '.repeat(item.depth)}[${item.done ? 'x' : ' '}] `
    yield `${start}${fitTo(printable(item.text), widthOf(start + note), display)}${display.style.dim(note)}`
  }
}

/** The same facts for --json, in which `number` is always that of a task. */
export function todoFields({ number, ...item }: TodoView) {
  return { item: number, ...item }
}

function noteOf({ task, was, maybe }: TodoView, display: Display): string {
  if (maybe.length > 0) return ` (may be ${maybe.map((one) => shortName(one, display)).join(' or ')})`
  if (task === null) return ''
  const before = was === null ? '' : `, was: ${printable(was)}`
  return ` (${shortName(task, display)} ${statusWord(task.status, display)}${task.on_hold ? ', on hold' : ''}${before})`
}

export function* renderStarted([whole, ...steps]: readonly TaskView[], display: Display): Iterable<string> {
  if (whole === undefined) return
  yield titleLine(whole, { prefix: label(whole, display) }, display)
  for (const step of steps)
    yield `    ${titleLine(step, { prefix: label(step, display), suffix: `[${step.type}]` }, display)}`
}
