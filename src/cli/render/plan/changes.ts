import { printable } from '../../../core/text/printable.ts'
import type { TaskView } from '../../../workspace/views/views.ts'
import type { Look } from '../../terminal/face.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'
import { idList, titleLine } from '../task-words.ts'

/** What the commands that change tasks answer. */

export function renderAdded(task: TaskView, look: Look): string[] {
  if (look.name === 'git-tasks') return [titleLine(task, { prefix: task.id, suffix: afterWords(task) }, look)]
  const start = `Created task #${task.number} (${task.id}): `
  return [`${start}${fitTo(printable(task.title), widthOf(start), look)}`]
}

export function renderDone(tasks: readonly TaskView[], look: Look): string[] {
  const word = look.name === 'git-tasks' ? 'done' : 'completed'
  return tasks.map((task) => answer(task, look, task.status === 'completed' ? word : 'heard, not closed yet'))
}

export function renderEdited(task: TaskView, look: Look): string[] {
  return [answer(task, look, 'edited')]
}

export function renderDeleted(tasks: readonly TaskView[], look: Look): string[] {
  return tasks.map((task) => answer(task, look, 'deleted'))
}

export function renderArchived(
  tasks: readonly TaskView[],
  look: Look,
  { restore, dryRun }: { restore: boolean; dryRun: boolean },
): string[] {
  const word = restore ? 'restored' : 'archived'
  return tasks.map((task) => answer(task, look, dryRun ? `would be ${word}` : word))
}

export function renderNoted(task: TaskView, look: Look): string[] {
  return [answer(task, look, 'noted')]
}

function answer(task: TaskView, look: Look, word: string): string {
  if (look.name === 'git-tasks') return `${look.ink.yellow(task.id)}: ${word}`
  return `${look.ink.green('✓')} Task #${task.number} ${word}`
}

/** Everything it has to wait for, whichever flag said so. */
function afterWords(task: TaskView): string {
  const ids = [...new Set([...idList(task.after), ...task.depends_on, ...task.based_on])]
  return ids.length === 0 ? '' : `(after ${ids.join(', ')})`
}
