import { printable } from '../../../core/text/printable.ts'
import type { OpenTask, OpenTasks } from '../../../workspace/views/ready-tasks.ts'
import type { TaskView } from '../../../workspace/views/views.ts'
import { type Look, programOf } from '../../terminal/face.ts'
import { blockedBy, label, statusWord, titleLine } from '../task-words.ts'

export function* renderList(tasks: readonly TaskView[], look: Look, options: { ledgers: boolean }): Iterable<string> {
  for (const task of tasks) {
    const ledger = options.ledgers ? `[${printable(task.ledger)}]` : ''
    const suffix = [statusNote(task, look), ledger].filter((part) => part !== '').join(' ')
    yield titleLine(task, { prefix: label(task, look), suffix }, look)
  }
}

export function* renderReady(tasks: OpenTasks<OpenTask>, look: Look): Iterable<string> {
  for (const task of tasks.ready) yield titleLine(task, { prefix: label(task, look) }, look)
  for (const task of tasks.blocked)
    yield look.ink.dim(`(${label(task, look)}${keyNote(task)} ${blockedBy(task, look)})`)
}

function keyNote({ key }: OpenTask): string {
  return key === null ? '' : ` ${printable(key)}`
}

/** Said on stderr, so that a script that reads the list gets none. */
export function emptyList(ledger: string, look: Look): string {
  return `No open tasks on ${printable(ledger)}. Add one: ${programOf(look.name)} add "…"`
}

export const NOTHING_MATCHES = 'No task matches.'

function statusNote(task: TaskView, look: Look): string {
  if (task.blocked_by.length > 0) return `(${blockedBy(task, look)})`
  if (task.status === 'pending') return ''
  const where = task.running_on === null ? '' : ` on ${printable(task.running_on)}`
  return `(${statusWord(task.status, look)}${where})`
}
