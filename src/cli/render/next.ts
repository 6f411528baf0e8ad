import type { TaskView } from '../../app/views.ts'
import { printable } from '../../core/printable.ts'
import type { Look } from '../face.ts'
import { fitTo, widthOf } from './fit-to.ts'
import { plural } from './task-words.ts'

interface Pending {
  ready: TaskView[]
  blocked: TaskView[]
}

export function* renderNext({ ready, blocked }: Pending, look: Look): Iterable<string> {
  for (const task of ready) yield line(task, look)
  if (blocked.length === 0) return
  if (ready.length > 0) yield ''
  yield look.ink.dim(`(${plural(blocked.length, 'task')} blocked by dependencies)`)
}

export function* renderNextAll({ ready, blocked }: Pending, look: Look): Iterable<string> {
  for (const task of byNumber([...ready, ...blocked])) yield line(task, look)
}

export function byNumber(tasks: TaskView[]): TaskView[] {
  return tasks.sort((a, b) => a.number - b.number)
}

function line(task: TaskView, look: Look): string {
  const start = `${task.number}. [${task.type}] `
  const numbers = task.blocked_by.map((other) => `#${other.number}`)
  const end = numbers.length === 0 ? '' : ` (blocked by ${numbers.join(', ')})`
  return `${start}${fitTo(printable(task.title), widthOf(start + end), look)}${look.ink.dim(end)}`
}
