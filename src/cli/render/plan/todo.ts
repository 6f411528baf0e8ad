import { printable } from '../../../core/text/printable.ts'
import type { TodoView } from '../../../tasks/todo-items.ts'
import type { TaskView } from '../../../workspace/views/views.ts'
import type { Look } from '../../terminal/face.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'
import { label, shortName, statusWord, titleLine } from '../task-words.ts'

/** The items under their headings, with their numbers and the tasks they were taken up as. */
export function* renderTodo(items: readonly TodoView[], look: Look): Iterable<string> {
  const width = String(items.at(-1)?.number ?? 0).length
  let heading: string | null = null
  for (const item of items) {
    if (item.heading !== heading && item.heading !== null) yield look.ink.bold(printable(item.heading))
    heading = item.heading
    const note = noteOf(item, look)
    const start = `${String(item.number).padStart(width)}. ${'  '.repeat(item.depth)}[${item.done ? 'x' : ' '}] `
    yield `${start}${fitTo(printable(item.text), widthOf(start + note), look)}${look.ink.dim(note)}`
  }
}

function noteOf({ task, was, maybe }: TodoView, look: Look): string {
  if (maybe.length > 0) return ` (may be ${maybe.map((one) => shortName(one, look)).join(' or ')})`
  if (task === null) return ''
  const before = was === null ? '' : `, was: ${printable(was)}`
  return ` (${shortName(task, look)} ${statusWord(task.status, look)}${before})`
}

export function* renderStarted([whole, ...steps]: readonly TaskView[], look: Look): Iterable<string> {
  if (whole === undefined) return
  yield titleLine(whole, { prefix: label(whole, look) }, look)
  for (const step of steps)
    yield `    ${titleLine(step, { prefix: label(step, look), suffix: `[${step.type}]` }, look)}`
}
