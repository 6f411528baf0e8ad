import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { AddedTask } from '../../../tasks/add-task.ts'
import type { RevertedTask } from '../../../tasks/undo/undo-change.ts'
import type { TaskView } from '../../../workspace/views/views.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'
import { label, titleLine } from '../task-text.ts'

/** What the commands that change tasks print. */

export function renderAdded(task: AddedTask, display: Display): string[] {
  if (display.name === 'git-tasks') return [titleLine(task, { prefix: task.id, suffix: afterWords(task) }, display)]
  const start = `Created task #${task.number} (${task.id}): `
  return [`${start}${fitTo(printable(task.title), widthOf(start), display)}`]
}

export function renderDone(tasks: readonly TaskView[], display: Display): string[] {
  const word = display.name === 'git-tasks' ? 'done' : 'completed'
  return tasks.map((task) =>
    resultLine(task, display, task.status === 'completed' ? word : 'reported as done, not closed yet'),
  )
}

export function renderEdited(task: TaskView, display: Display): string[] {
  return [resultLine(task, display, 'edited')]
}

export function renderDeleted(tasks: readonly TaskView[], display: Display): string[] {
  return tasks.map((task) => resultLine(task, display, 'deleted'))
}

export function renderRestored(tasks: readonly TaskView[], display: Display): string[] {
  return tasks.map((task) => resultLine(task, display, 'restored'))
}

/** What `undo` and `redo` did: the command with the commit that was reverted, then each task with its changes. */
export function renderReverted(
  what: string,
  { commit, changed }: { commit: string; changed: readonly RevertedTask[] },
  display: Display,
): string[] {
  const lines = changed.slice(0, MOST_CHANGED).map((task) => {
    const title = titleLine(task, { prefix: label(task, display) }, display)
    return `  ${title}${task.changes.length > 0 ? ` (${printable(task.changes.join('; '))})` : ''}`
  })
  const rest = changed.length - lines.length
  return [
    `${printable(what)} (${commit.slice(0, 7)})`,
    ...lines,
    ...(rest > 0 ? [`  and ${plural(rest, 'more task')}`] : []),
  ]
}

const MOST_CHANGED = 20

export function renderArchived(
  tasks: readonly TaskView[],
  display: Display,
  { restore, dryRun }: { restore: boolean; dryRun: boolean },
): string[] {
  const word = restore ? 'restored' : 'archived'
  return tasks.map((task) => resultLine(task, display, dryRun ? `would be ${word}` : word))
}

export function renderNoted(task: TaskView, display: Display): string[] {
  return [resultLine(task, display, 'noted')]
}

function resultLine(task: TaskView, display: Display, word: string): string {
  if (display.name === 'git-tasks') return `${display.style.yellow(task.id)}: ${word}`
  return `${display.style.green('✓')} Task #${task.number} ${word}`
}

/** All its dependencies, of every kind. */
function afterWords(task: AddedTask): string {
  const ids = [...new Set([...task.after, ...task.depends_on, ...task.based_on])]
  return ids.length === 0 ? '' : `(after ${ids.join(', ')})`
}
