import { cyclicComponents, findCycle } from '../graph/dependency-cycles.ts'
import type { PlannedTask, PlanRemark } from './plan-model.ts'

/** Every set of tasks that wait for each other, reported as one whole cycle with names and lines. */
export function findPlanCycles(tasks: readonly PlannedTask[]): PlanRemark[] {
  const byKey = new Map(tasks.map((task) => [task.key, task]))
  const graph = new Map(tasks.map(({ key, dependencies }) => [key, dependencies.map((other) => other.key)]))
  // A parent is finished by its children, so it waits for them.
  for (const { key, parent } of tasks) if (parent !== null) graph.get(parent)?.push(key)
  return cyclicComponents(graph).map((group) => {
    const inside = new Map(group.map((key) => [key, graph.get(key) ?? []]))
    const cycle = findCycle(inside, group[0]) ?? group
    const why = describeCycle(cycle.flatMap((key) => byKey.get(key) ?? []))
    return { line: byKey.get(cycle[0] ?? '')?.line ?? 0, why, isCycle: true }
  })
}

function describeCycle(cycle: readonly PlannedTask[]): string {
  const [first] = cycle
  if (!first) return 'tasks wait for each other'
  if (cycle.length === 1) return `${first.key} '${first.title}' waits for itself`
  const steps = cycle.map((task, at) => {
    const next = cycle[(at + 1) % cycle.length] as PlannedTask
    return `${task.key} '${task.title}' (line ${task.line}) ${linkBetween(task, next)}`
  })
  return `tasks wait for each other: ${steps.join(' ')} ${first.key}`
}

function linkBetween(task: PlannedTask, next: PlannedTask): string {
  const dependency = task.dependencies.find(({ key }) => key === next.key)
  if (dependency === undefined) return '→ (its child)'
  return dependency.file === undefined ? '→' : `→ (modifies ${dependency.file}, created by)`
}
