import { plural } from '../../../core/text/plural.ts'
import type { NextTasks, OpenTask, OpenTasks } from '../../../workspace/views/ready-tasks.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'
import { keyedTitle, personWords } from '../task-text.ts'

export function* renderNext(
  { ready, blockedCount, heldCount }: Omit<NextTasks, 'isStuck'>,
  display: Display,
): Iterable<string> {
  let isFirst = true
  for (const task of ready) {
    yield line(task, display)
    isFirst = false
  }
  if (!isFirst && blockedCount + heldCount > 0) yield ''
  if (blockedCount > 0) yield display.style.dim(`(${plural(blockedCount, 'task')} blocked by dependencies)`)
  if (heldCount > 0) yield display.style.dim(`(${plural(heldCount, 'task waits', 'tasks wait')} for a person)`)
}

export function* renderNextAll({ ready, blocked }: OpenTasks<OpenTask>, display: Display): Iterable<string> {
  for (const task of byNumber([...ready, ...blocked])) yield line(task, display)
}

export function byNumber<T extends OpenTask>(tasks: T[]): T[] {
  return tasks.sort((a, b) => a.number - b.number)
}

function line(task: OpenTask, display: Display): string {
  const start = `${task.number}. [${task.type}] `
  const numbers = task.blocked_by.map((other) => `#${other.number}`)
  const blocked = numbers.length === 0 ? [] : [`blocked by ${numbers.join(', ')}`]
  const words = [...blocked, ...personWords(task)]
  const end = words.length === 0 ? '' : ` (${words.join(', ')})`
  return `${start}${fitTo(keyedTitle(task), widthOf(start + end), display)}${display.style.dim(end)}`
}
