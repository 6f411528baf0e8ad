import type { DerivedStatus } from '../../core/task/task.ts'
import { printable } from '../../core/text/printable.ts'
import type { TaskName } from '../../workspace/views/views.ts'
import type { Display } from '../terminal/display.ts'
import { fitTo, widthOf } from '../terminal/fit-to.ts'

/** Names and lines of tasks, as several commands print them. */

/** `task-a3f8`, or `#29 task-a3f8` under the name gza. */
export function label(task: { number: number; id: string }, display: Display): string {
  return display.name === 'git-tasks' ? task.id : `#${task.number} ${task.id}`
}

/** The shortest name of another task: `task-a3f8` under the name git tasks, `#29` under the name gza. */
export function shortName(task: TaskName, display: Display): string {
  return display.name === 'git-tasks' ? task.id : `#${task.number}`
}

/** The title, with the task's key in front of it. */
export function keyedTitle({ key, title }: { key?: string | null; title: string }): string {
  return printable(key ? `${key} ${title}` : title)
}

/** `git tasks` prints done, and gza prints completed, as the ledger does. */
export function statusWord(status: DerivedStatus, display: Display): string {
  return status === 'completed' && display.name === 'git-tasks' ? 'done' : status
}

export function blockedBy(task: { blocked_by: readonly TaskName[] }, display: Display): string {
  const names: string[] = []
  for (const other of task.blocked_by) names.push(shortName(other, display))
  return `blocked by ${names.join(', ')}`
}

/** Why an open task does not start, as the words in its brackets; empty if it can. */
export function waitingWords(task: WaitingTask & { blocked_by: readonly TaskName[] }, display: Display): string {
  const words = personWords(task)
  if (task.blocked_by.length > 0) words.unshift(blockedBy(task, display))
  return words.join(', ')
}

export interface WaitingTask {
  on_hold: boolean
  asks: boolean
}

/** What it needs from a person. */
export function personWords({ on_hold, asks }: WaitingTask): string[] {
  const words: string[] = []
  if (on_hold) words.push('on hold')
  if (asks) words.push('question')
  return words
}

/** `prefix: title suffix` on one line. The title is cut if the terminal is too narrow. */
export function titleLine(
  task: { key?: string | null; title: string },
  parts: { prefix: string; suffix?: string },
  display: Display,
): string {
  const suffix = parts.suffix ? ` ${parts.suffix}` : ''
  const title = fitTo(keyedTitle(task), widthOf(parts.prefix) + 2 + widthOf(suffix), display)
  return `${display.style.yellow(parts.prefix)}: ${title}${display.style.dim(suffix)}`
}
