import { type Task, titleOf } from '../task/task.ts'
import { sameKey } from './name-tasks.ts'
import type { Plan, PlannedTask } from './plan-model.ts'
import { sameTitle } from './plan-names.ts'

/**
 * Finds the plan's tasks that are already in the ledger. A key from the plan is trusted first; one made from a number
 * only after the title, because an inserted step moves all later numbers.
 */
export function recogniseTasks(planned: readonly PlannedTask[], filed: readonly Task[]): Map<PlannedTask, Task> {
  const found = new Map<PlannedTask, Task>()
  const left = new Set(filed)
  const take = (task: PlannedTask, candidate: Task | undefined): void => {
    if (candidate === undefined || found.has(task) || !left.has(candidate)) return
    left.delete(candidate)
    found.set(task, candidate)
  }
  const byKey = groupBy(filed, (task) => sameKey(task.key ?? ''))
  const byTitle = groupBy(filed, (task) => sameTitle(titleOf(task)))
  const pickKey = (task: PlannedTask) => byKey.get(sameKey(task.key))?.find((candidate) => left.has(candidate))
  const pickTitle = (task: PlannedTask) => byTitle.get(sameTitle(task.title))?.find((candidate) => left.has(candidate))
  for (const task of planned) if (task.keyKind === 'given') take(task, pickKey(task))
  for (const task of planned) {
    const candidate = pickKey(task)
    const isSame = candidate !== undefined && sameTitle(titleOf(candidate)) === sameTitle(task.title)
    if (isSame) take(task, candidate)
  }
  for (const task of planned) if (!found.has(task)) take(task, pickTitle(task))
  for (const task of planned) if (task.keyKind === 'numbered' && !found.has(task)) take(task, pickKey(task))
  return found
}

function groupBy(tasks: readonly Task[], keyOf: (task: Task) => string): Map<string, Task[]> {
  return Map.groupBy(tasks, keyOf)
}

/** The plan with the keys that the ledger already has: numbers that moved name the same tasks as before. */
export function settleKeys(
  plan: Plan,
  found: ReadonlyMap<PlannedTask, Task>,
  filed: readonly Task[],
): { plan: Plan; found: Map<PlannedTask, Task> } {
  const keys = settledKeys(plan.tasks, found, filed)
  const isSettled = plan.tasks.every(({ key }) => keys.get(key) === key)
  if (isSettled) return { plan, found: new Map(found) }
  const settled = new Map<PlannedTask, Task>()
  const tasks = plan.tasks.map((task) => {
    const { parent, dependencies } = task
    const renamed = {
      ...task,
      key: keys.get(task.key) ?? task.key,
      parent: parent === null ? null : (keys.get(parent) ?? parent),
      dependencies: dependencies.map((other) => ({ ...other, key: keys.get(other.key) ?? other.key })),
    }
    const known = found.get(task)
    if (known) settled.set(renamed, known)
    return renamed
  })
  return { plan: { ...plan, tasks }, found: settled }
}

function settledKeys(
  tasks: readonly PlannedTask[],
  found: ReadonlyMap<PlannedTask, Task>,
  filed: readonly Task[],
): Map<string, string> {
  const taken = new Set(filed.map(({ key = '' }) => sameKey(key)))
  for (const { key, keyKind } of tasks) if (keyKind === 'given') taken.add(sameKey(key))
  let next = 1
  return new Map(
    tasks.map((task) => {
      if (task.keyKind === 'given') return [task.key, task.key]
      const known = found.get(task)?.key
      if (known !== undefined) return [task.key, known]
      if (!taken.has(sameKey(task.key)) && !found.has(task)) {
        taken.add(sameKey(task.key))
        return [task.key, task.key]
      }
      while (taken.has(`T${next}`)) next++
      taken.add(`T${next}`)
      return [task.key, `T${next}`]
    }),
  )
}
