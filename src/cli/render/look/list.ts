import { printable } from '../../../core/text/printable.ts'
import type { OpenTask, OpenTasks } from '../../../workspace/views/ready-tasks.ts'
import { joinRows, mapRows } from '../../../workspace/views/rows.ts'
import type { ListedTask } from '../../../workspace/views/views.ts'
import { type Display, programOf } from '../../terminal/display.ts'
import { label, statusWord, titleLine, waitingWords } from '../task-text.ts'

export function* renderList(
  tasks: Iterable<ListedTask>,
  display: Display,
  options: { ledgers: boolean },
): Iterable<string> {
  for (const task of tasks) {
    const ledger = options.ledgers ? `[${printable(task.ledger)}]` : ''
    const suffix = [statusNote(task, display), ledger].filter((part) => part !== '').join(' ')
    yield titleLine(task, { prefix: label(task, display), suffix }, display)
  }
}

export function renderReady({ ready, blocked }: OpenTasks<OpenTask>, display: Display): Iterable<string> {
  return joinRows(
    mapRows(ready, (task) => titleLine(task, { prefix: label(task, display) }, display)),
    mapRows(blocked, (task) =>
      display.style.dim(`(${label(task, display)}${keyNote(task)} ${waitingWords(task, display)})`),
    ),
  )
}

function keyNote({ key }: OpenTask): string {
  return key === null ? '' : ` ${printable(key)}`
}

/** Printed on stderr, so that a script that reads the list gets an empty one. */
export function emptyList(ledger: string, display: Display): string {
  return `No open tasks on ${printable(ledger)}. Add one: ${programOf(display.name)} add "…"`
}

export const NOTHING_MATCHES = 'No task matches.'

function statusNote(task: ListedTask, display: Display): string {
  const waiting = waitingWords(task, display)
  if (task.blocked_by.length > 0) return `(${waiting})`
  const where = task.running_on === null ? '' : ` on ${printable(task.running_on)}`
  const status = task.status === 'pending' ? '' : `${statusWord(task.status, display)}${where}`
  const words = [status, waiting].filter((part) => part !== '').join(', ')
  return words === '' ? '' : `(${words})`
}
