import { plural } from '../../../core/text/plural.ts'
import type { OpenTask, OpenTasks } from '../../../workspace/views/ready-tasks.ts'
import type { Look } from '../../terminal/face.ts'
import { fitTo, widthOf } from '../../terminal/fit-to.ts'
import { keyedTitle } from '../task-words.ts'

interface NextTasks {
  ready: Iterable<OpenTask>
  blockedCount: number
}

export function* renderNext({ ready, blockedCount }: NextTasks, look: Look): Iterable<string> {
  let isFirst = true
  for (const task of ready) {
    yield line(task, look)
    isFirst = false
  }
  if (blockedCount === 0) return
  if (!isFirst) yield ''
  yield look.ink.dim(`(${plural(blockedCount, 'task')} blocked by dependencies)`)
}

export function* renderNextAll({ ready, blocked }: OpenTasks<OpenTask>, look: Look): Iterable<string> {
  for (const task of byNumber([...ready, ...blocked])) yield line(task, look)
}

export function byNumber<T extends OpenTask>(tasks: T[]): T[] {
  return tasks.sort((a, b) => a.number - b.number)
}

function line(task: OpenTask, look: Look): string {
  const start = `${task.number}. [${task.type}] `
  const numbers = task.blocked_by.map((other) => `#${other.number}`)
  const end = numbers.length === 0 ? '' : ` (blocked by ${numbers.join(', ')})`
  return `${start}${fitTo(keyedTitle(task), widthOf(start + end), look)}${look.ink.dim(end)}`
}
