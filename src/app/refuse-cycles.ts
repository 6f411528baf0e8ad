import { findCycle } from '../core/graph.ts'
import { dependenciesOf, type Task, titleOf, uidOf } from '../core/task.ts'
import { UserError } from '../core/user-error.ts'

/** Throws where tasks that are to be filed together wait for each other, or are each other's parents. */
export function refuseCycles(tasks: readonly Task[]): void {
  const waits = findCycle(new Map(tasks.map((task) => [task.uid, dependenciesOf(task).map(uidOf)])))
  if (waits) throw cycleError('DEPENDENCY_CYCLE', 'These tasks wait for each other', tasks, waits)
  const above = findCycle(new Map(tasks.map((task) => [task.uid, task.parent ? [uidOf(task.parent)] : []])))
  if (above) throw cycleError('PARENT_CYCLE', 'These tasks are each other\u2019s parents', tasks, above)
}

function cycleError(code: string, what: string, tasks: readonly Task[], loop: readonly string[]): UserError {
  const titles = new Map(tasks.map((task) => [task.uid, titleOf(task)]))
  const names = [...loop, ...loop.slice(0, 1)].map((uid) => titles.get(uid) ?? uid)
  return new UserError(code, `${what}: ${names.join(' → ')}`, {
    hint: 'Nothing was imported. Leave out one of these links.',
  })
}
