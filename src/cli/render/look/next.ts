import { plural } from '../../../core/text/plural.ts'
import type { NextTasks, OpenTask, OpenTasks } from '../../../workspace/views/ready-tasks.ts'
import { joinRows, mapRows } from '../../../workspace/views/rows.ts'
import type { TaskName } from '../../../workspace/views/views.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'
import { keyedTitle, personWords } from '../task-text.ts'

export function renderNext(tasks: NextTasks, display: Display): Iterable<string> {
  const { ready, blockedCount, heldCount, isStuck } = tasks
  const waiting: string[] = []
  if (blockedCount + heldCount > 0 && !isStuck) waiting.push('')
  if (blockedCount > 0) waiting.push(display.style.dim(`(${plural(blockedCount, 'task')} blocked by dependencies)`))
  if (heldCount > 0) waiting.push(display.style.dim(`(${plural(heldCount, 'task waits', 'tasks wait')} for a person)`))
  return joinRows(
    mapRows(ready, (task) => line(task, display)),
    waiting,
  )
}

export function* renderNextAll(tasks: Iterable<OpenTask>, display: Display): Iterable<string> {
  for (const task of tasks) yield line(task, display)
}

export function byNumber<T extends OpenTask>({ ready, blocked }: OpenTasks<T>): T[] {
  return [...ready, ...blocked].sort((a, b) => a.number - b.number)
}

function line(task: OpenTask, display: Display): string {
  const start = `${task.number}. [${task.type}] `
  const words = personWords(task)
  if (task.blocked_by.length > 0) words.unshift(`blocked by ${numbersOf(task.blocked_by)}`)
  const end = words.length === 0 ? '' : ` (${words.join(', ')})`
  return `${start}${fitTo(keyedTitle(task), widthOf(start + end), display)}${display.style.dim(end)}`
}

function numbersOf(tasks: readonly TaskName[]): string {
  return tasks.map(({ number }) => `#${number}`).join(', ')
}
