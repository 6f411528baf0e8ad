import { fieldsFrom } from '../../core/plan/compare-planned.ts'
import type { Plan, PlannedTask } from '../../core/plan/plan-model.ts'
import { fieldsForParts } from '../../core/size/parts.ts'
import { type Part, partFields } from '../../core/size/plan-split.ts'
import { closeTask, type NewTask } from '../../core/task/operations.ts'
import { isOpen } from '../../core/task/status-predicates.ts'
import { refOf, type Task, type TaskRef } from '../../core/task/task.ts'
import type { TaskFactory } from '../../tasks/task-factory.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { checkedContent } from '../../workspace/views/field-input.ts'
import type { SizedTask } from '../split/size-plan.ts'
import type { MilestonesOfPlan } from './plan-milestones.ts'
import type { PlanSource } from './plan-source.ts'

export interface PlanDraft {
  top: Task
  /** The plan's tasks, including those that are already in the ledger. */
  tasks: Map<PlannedTask, Task>
  parts: Map<PlannedTask, Task[]>
  /** The tasks to write, in the order in which they get their numbers. */
  created: Task[]
}

export interface DraftInput {
  plan: Plan
  source: PlanSource
  milestones: MilestonesOfPlan
  sizes: ReadonlyMap<PlannedTask, SizedTask>
  /** The tasks of the plan that are in the ledger. */
  known: ReadonlyMap<PlannedTask, Task>
  top: Task | undefined
  /** The parent of the plan's tasks. */
  home: Task | undefined
  /** Names of tasks that are not in the plan. */
  outside: ReadonlyMap<string, Task>
}

/** Makes the new tasks, each whole with its parts; nothing is written yet. */
export function draftPlan(view: LedgerView, create: TaskFactory, input: DraftInput): PlanDraft {
  const top = input.top ?? create(topFields(input))
  const draft: PlanDraft = { top, tasks: new Map(), parts: new Map(), created: [] }
  const byKey = new Map<string, Task>()
  for (const task of input.plan.tasks) {
    const made = input.known.get(task) ?? create(fieldsOf(input, task, byKey, input.home ?? top))
    byKey.set(task.key, made)
    draft.tasks.set(task, made)
    const parts = input.known.has(task) ? undefined : input.sizes.get(task)?.split?.parts
    if (parts) draft.parts.set(task, makeParts(create, made, parts))
  }
  for (const task of input.plan.tasks) connect(input, draft, task, byKey)
  closeFinished(view, input, draft)
  draft.created = [
    ...(input.top ? [] : [draft.top]),
    ...input.plan.tasks.flatMap((task) => {
      const made = draft.tasks.get(task) as Task
      return input.known.has(task) ? [] : [made, ...(draft.parts.get(task) ?? [])]
    }),
  ]
  return draft
}

/** The refs of the task's dependencies, as far as the ledger can know them. */
export function refsOf(
  input: Pick<DraftInput, 'outside'>,
  task: PlannedTask,
  byKey: ReadonlyMap<string, Task>,
): TaskRef[] {
  const inside = task.dependencies.flatMap(({ key }) => byKey.get(key) ?? []).map(refOf)
  const outside = task.outside.flatMap(({ name }) => input.outside.get(name) ?? []).map(refOf)
  return [...new Set([...inside, ...outside])]
}

export function milestoneOf({ milestones }: Pick<DraftInput, 'milestones'>, task: PlannedTask): string | undefined {
  return task.milestone === null ? undefined : milestones.byId.get(task.milestone)?.id
}

function topFields({ plan, source }: DraftInput): NewTask {
  const title = plan.title ?? source.name
  const { acceptance_criteria } = plan
  return {
    content: checkedContent(plan.description === '' ? title : `${title}\n\n${plan.description}`),
    plan_file: source.planFile,
    ...(acceptance_criteria.length > 0 && { acceptance_criteria }),
    ...(source.basedOn.length > 0 && { based_on: source.basedOn }),
  }
}

function fieldsOf(input: DraftInput, task: PlannedTask, byKey: ReadonlyMap<string, Task>, home: Task): NewTask {
  const given = Object.entries(fieldsFrom(task)).filter(([, value]) => value !== null)
  const parent = task.parent === null ? undefined : byKey.get(task.parent)
  return {
    ...(Object.fromEntries(given) as Partial<NewTask>),
    content: checkedContent(task.content),
    key: task.key,
    parent: refOf(parent ?? home),
    plan_file: input.source.planFile,
    milestone_id: milestoneOf(input, task),
    project: home.project,
  }
}

/** After all of them have an identity, because a task may wait for one further down. */
function connect(input: DraftInput, draft: PlanDraft, task: PlannedTask, byKey: Map<string, Task>): void {
  const made = draft.tasks.get(task) as Task
  const refs = input.known.has(task) ? [] : refsOf(input, task, byKey)
  if (refs.length === 0) return
  const both = task.dependencies.filter(({ isStated }) => isStated)
  // Explicit as well as derived: `after` keeps the two apart.
  const after = both.flatMap(({ key }) => byKey.get(key) ?? []).map(refOf)
  const dependencies = { depends_on: refs, ...(after.length > 0 && { after }) }
  draft.tasks.set(task, { ...made, ...dependencies })
  const [first, ...others] = draft.parts.get(task) ?? []
  if (first) draft.parts.set(task, [{ ...first, ...dependencies }, ...others])
}

/** Each part waits for the part before it; the dependencies of the whole are not known yet. */
function makeParts(create: TaskFactory, whole: Task, parts: readonly Part[]): Task[] {
  const made = new Map<string, Task>()
  for (const part of parts) {
    const before = part.after.flatMap((key) => made.get(key) ?? []).map(refOf)
    made.set(
      part.key,
      create({
        ...fieldsForParts(whole),
        ...partFields(part),
        ...(before.length > 0 && { depends_on: before }),
        parent: refOf(whole),
      }),
    )
  }
  return [...made.values()]
}

/**
 * Closes what the plan ticks off, unless something below it is open. Parents that the plan leaves open finish later.
 */
function closeFinished(view: LedgerView, input: DraftInput, draft: PlanDraft): void {
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  const close = (task: Task, status: 'completed' | 'skipped') =>
    closeTask(task, status, now, { head: null, branch: null, commits: [] })
  const open = new Set<string | null>()
  for (const task of input.plan.tasks.toReversed()) {
    const made = draft.tasks.get(task) as Task
    if (!isOpen(made)) continue
    const isTicked = (task.done || task.skipped) && !open.has(task.key)
    if (input.known.has(task) || !isTicked) open.add(task.parent)
    else draft.tasks.set(task, close(made, task.skipped ? 'skipped' : 'completed'))
  }
  if (input.top === undefined && !open.has(null)) draft.top = close(draft.top, 'completed')
}
