import { type Complexity, scoreTask } from '../../core/complexity.ts'
import type { TaskSizeLimits } from '../../core/config/settings.ts'
import type { Plan, PlannedTask, PlanRemark } from '../../core/plan/plan.ts'
import { sizeWarnings } from '../../core/size-warnings.ts'
import { planSplit, type SplitPlan } from '../../core/split.ts'

export interface SizedTask {
  score: Complexity
  split: Extract<SplitPlan, { kind: 'split' }> | null
}

/** Scores every task, and divides those that are too much: leaves that are still to be done. */
export function sizePlan(
  plan: Plan,
  limits: TaskSizeLimits,
  isNew: (task: PlannedTask) => boolean,
): { sizes: Map<PlannedTask, SizedTask>; warnings: PlanRemark[] } {
  const keys = new Set(plan.tasks.map(({ key }) => key))
  const parents = new Set(plan.tasks.map(({ parent }) => parent))
  const warnings: PlanRemark[] = []
  const sizes = new Map<PlannedTask, SizedTask>()
  for (const task of plan.tasks) {
    const score = scoreTask(task, { limits })
    const isOpenLeaf = isNew(task) && !parents.has(task.key) && !task.done && !task.skipped
    if (isOpenLeaf)
      for (const why of sizeWarnings(task, limits)) warnings.push({ line: task.line, why: `${task.key} has ${why}` })
    const split =
      isOpenLeaf && limits.auto_split ? planSplit(task, score, { limits, isKeyTaken: (key) => keys.has(key) }) : null
    if (split?.kind === 'unsplittable') warnings.push({ line: task.line, why: tooLarge(task.key, score, split.why) })
    sizes.set(task, { score, split: split?.kind === 'split' ? split : null })
    if (split?.kind !== 'split') continue
    for (const part of split.parts) {
      keys.add(part.key)
      if (part.isUnsplittable)
        warnings.push({ line: task.line, why: tooLarge(part.key, scoreTask(part, { limits }), 'it has no seam') })
    }
  }
  return { sizes, warnings }
}

function tooLarge(key: string, { total, threshold }: Complexity, why: string): string {
  return `${key} scores ${total}, above ${threshold}, and cannot be split: ${why}`
}
