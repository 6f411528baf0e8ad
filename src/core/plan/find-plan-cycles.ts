import { allCycles, findCycle } from '../graph/dependency-cycles.ts'
import type { PlannedTask, PlanRemark } from './plan-model.ts'

/** Every set of tasks that wait for each other, reported as one whole cycle with names and lines. */
export function findLoops(tasks: readonly PlannedTask[]): PlanRemark[] {
  const byKey = new Map(tasks.map((task) => [task.key, task]))
  const graph = new Map(tasks.map(({ key, dependencies }) => [key, dependencies.map((other) => other.key)]))
  // A parent is finished by its children, so it waits for them.
  for (const { key, parent } of tasks) if (parent !== null) graph.get(parent)?.push(key)
  return allCycles(graph).map((knot) => {
    const inside = new Map(knot.map((key) => [key, graph.get(key) ?? []]))
    const loop = findCycle(inside, knot[0]) ?? knot
    const why = describeLoop(loop.flatMap((key) => byKey.get(key) ?? []))
    return { line: byKey.get(loop[0] ?? '')?.line ?? 0, why, isLoop: true }
  })
}

function describeLoop(loop: readonly PlannedTask[]): string {
  const [first] = loop
  if (!first) return 'tasks wait for each other'
  if (loop.length === 1) return `${first.key} '${first.title}' waits for itself`
  const steps = loop.map((task, at) => {
    const next = loop[(at + 1) % loop.length] as PlannedTask
    return `${task.key} '${task.title}' (line ${task.line}) ${linkBetween(task, next)}`
  })
  return `tasks wait for each other: ${steps.join(' ')} ${first.key}`
}

function linkBetween(task: PlannedTask, next: PlannedTask): string {
  const dependency = task.dependencies.find(({ key }) => key === next.key)
  if (dependency === undefined) return '→ (its child)'
  return dependency.file === undefined ? '→' : `→ (modifies ${dependency.file}, created by)`
}
