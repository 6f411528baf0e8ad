import type { TaskSizeLimits } from '../../core/config/settings.ts'
import type { Plan, PlannedTask, PlanRemark } from '../../core/plan/plan-model.ts'
import { commandLine } from '../../core/sentence.ts'
import { type Complexity, filesOf, hasCriteria, scoreTask } from '../../core/size/complexity.ts'
import { planSplit, type SplitPlan } from '../../core/size/plan-split.ts'
import { sizeWarnings } from '../../core/size/size-warnings.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readImports } from './read-imports.ts'

export interface SizedTask {
  score: Complexity
  split: Extract<SplitPlan, { kind: 'split' }> | null
  /** The scores of the split's parts, in their order. */
  partScores: Complexity[]
}

/** Scores every task, and divides those that are too large: tasks without children that are not done yet. */
export function sizePlan(
  plan: Plan,
  { repo, limits, isNew }: { repo: Repo; limits: TaskSizeLimits; isNew: (task: PlannedTask) => boolean },
): { sizes: Map<PlannedTask, SizedTask>; warnings: PlanRemark[] } {
  const keys = new Set(plan.tasks.map(({ key }) => key))
  const parents = new Set(plan.tasks.map(({ parent }) => parent))
  const warnings: PlanRemark[] = []
  const sizes = new Map<PlannedTask, SizedTask>()
  const whole: PlannedTask[] = []
  for (const task of plan.tasks) {
    const context = { limits, imports: readImports(repo, filesOf(task)) }
    const score = scoreTask(task, context)
    const isOpenLeaf = isNew(task) && !parents.has(task.key) && !task.done && !task.skipped
    if (isOpenLeaf)
      for (const why of sizeWarnings(task, limits)) warnings.push({ line: task.line, why: `${task.key} has ${why}` })
    if (isOpenLeaf && !limits.auto_split && score.total > score.threshold) whole.push(task)
    const split =
      isOpenLeaf && limits.auto_split
        ? planSplit(task, score, { ...context, isKeyTaken: (key) => keys.has(key) })
        : null
    if (split?.kind === 'unsplittable') warnings.push({ line: task.line, why: tooLarge(task.key, score, split.why) })
    if (split?.kind !== 'split') {
      sizes.set(task, { score, split: null, partScores: [] })
      continue
    }
    const partContext = { ...context, isPartOfClear: hasCriteria(task) }
    const partScores = split.parts.map((part) => scoreTask(part, partContext))
    sizes.set(task, { score, split, partScores })
    for (const [at, { key, unsplittable }] of split.parts.entries()) {
      keys.add(key)
      const partScore = partScores[at]
      if (unsplittable !== null && partScore)
        warnings.push({ line: task.line, why: tooLarge(key, partScore, unsplittable) })
    }
  }
  if (whole.length > 0) warnings.push(describeWhole(whole, limits))
  return { sizes, warnings }
}

/** One remark for all of them: with `auto_split: false` nobody wants one for each. */
function describeWhole(tasks: readonly PlannedTask[], { complexity_threshold }: TaskSizeLimits): PlanRemark {
  const keys = tasks.slice(0, MOST_NAMED).map(({ key }) => key)
  const rest = tasks.length - keys.length
  const names = [...keys, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  const [state, split] =
    tasks.length === 1
      ? [`scores above ${complexity_threshold} and is not split`, `${commandLine`split ${names}`} splits it`]
      : [`score above ${complexity_threshold} and are not split`, `${commandLine`split KEY`} splits one`]
  return { line: tasks[0]?.line ?? 1, why: `${names} ${state}, because auto_split is false; ${split}` }
}

const MOST_NAMED = 20

export function tooLarge(key: string, { total, threshold }: Complexity, why: string): string {
  return `${key} scores ${total}, above ${threshold}, and cannot be split: ${why}`
}
