import type { PlannedDependency, PlannedTask, PlanRemark } from './plan-model.ts'

/**
 * A task that modifies a file which another task creates depends on it. Adds those dependencies, and returns the files
 * with two creators.
 */
export function addFileDependencies(tasks: readonly PlannedTask[]): PlanRemark[] {
  const warnings: PlanRemark[] = []
  const creators = new Map<string, PlannedTask>()
  const byKey = new Map(tasks.map((task) => [task.key, task]))
  for (const task of tasks) {
    for (const file of task.files_to_create) {
      const first = creators.get(file)
      if (first === undefined) creators.set(file, task)
      else if (!isAncestor(first, task, byKey) && !isAncestor(task, first, byKey))
        warnings.push({ line: task.line, why: `${task.key} creates ${file}, which ${first.key} also creates` })
    }
  }
  for (const task of tasks) {
    const known = new Map(task.dependencies.map((dependency) => [dependency.key, dependency]))
    for (const file of task.files_to_modify) {
      const creator = creators.get(file)
      if (!creator || creator === task || task.files_to_create.includes(file)) continue
      if (isAncestor(creator, task, byKey) || isAncestor(task, creator, byKey)) continue
      const dependency = known.get(creator.key) ?? ({ key: creator.key, kind: 'file', file } as PlannedDependency)
      if (!known.has(creator.key)) task.dependencies.push(dependency)
      if (dependency.kind === 'explicit') dependency.isStated = true
      known.set(creator.key, Object.assign(dependency, { kind: 'file', file: dependency.file ?? file }))
    }
  }
  return warnings
}

function isAncestor(above: PlannedTask, below: PlannedTask, byKey: ReadonlyMap<string, PlannedTask>): boolean {
  let { parent } = below
  for (let steps = 0; parent !== null && steps < 100; steps++) {
    if (parent === above.key) return true
    parent = byKey.get(parent)?.parent ?? null
  }
  return false
}
