import { type DependencyKind, dependencyKind, sharedFiles } from '../../core/graph/dependency-kinds.ts'
import type { PlanChange } from '../../core/plan/compare-planned.ts'
import type { Plan, PlannedTask } from '../../core/plan/plan-model.ts'
import type { Complexity } from '../../core/size/complexity.ts'
import { refOf, type Task, titleOf } from '../../core/task/task.ts'
import { dependencyField } from '../../workspace/views/task-view.ts'
import type { RelationKind } from '../../workspace/views/views.ts'
import type { SizedTask } from '../split/size-plan.ts'
import type { KnownTask } from './compare-known.ts'
import type { PlanDraft } from './draft-plan.ts'
import type { FiledMilestone, MilestonesOfPlan } from './plan-milestones.ts'
import type { PlanSource } from './plan-source.ts'
import type { PartOfKnown } from './remake-plan-parts.ts'

/** What an import did, or would do. The shape is public: fields are added, never renamed. */
export interface PlanImport {
  plan_file: string
  title: string
  dry_run: boolean
  /** How many tasks are new, including the plan's own task and parts, and how many were updated. */
  created_count: number
  updated_count: number
  /** Parts without remaining work. */
  replaced_count: number
  top: PlanRow
  milestones: FiledMilestone[]
  /** Every task of the plan, parents before their children. */
  tasks: PlanRow[]
  /** In the ledger, but no longer in the plan. */
  gone: { id: string; number: number; key: string | null; title: string; status: string }[]
  warnings: string[]
}

export interface PlanRow {
  key: string | null
  /** Null if a dry run has not filed it. */
  id: string | null
  number: number | null
  title: string
  /** `replaced`: a part without remaining work. */
  state: 'new' | KnownTask['state'] | 'replaced'
  status: string
  /** The key of the task that it is a part of. */
  parent_key: string | null
  milestone_id: string | null
  line: number | null
  score: Pick<Complexity, 'total' | 'level' | 'action'> | null
  split: { strategy: string; parts: string[] } | null
  dependencies: RowDependency[]
  changes: PlanChange[]
}

export interface RowDependency {
  key: string | null
  id: string | null
  number: number | null
  kind: RelationKind
  origin: DependencyKind
  files: string[]
}

interface Viewed {
  plan: Plan
  source: PlanSource
  draft: PlanDraft
  known: ReadonlyMap<PlannedTask, KnownTask>
  milestones: MilestonesOfPlan
  sizes: ReadonlyMap<PlannedTask, SizedTask>
  /** All changed tasks, as they are after the import. */
  tasks: readonly Task[]
  /** Tasks that the plan names but does not contain. */
  outside: ReadonlyMap<string, Task>
  created: readonly Task[]
  updated: readonly Task[]
  replaced: readonly Task[]
  /** The parts of tasks in the ledger that changed. */
  remade: ReadonlyMap<PlannedTask, readonly PartOfKnown[]>
  gone: readonly Task[]
  warnings: string[]
  dryRun: boolean
}

export function viewImport(viewed: Viewed): PlanImport {
  const { plan, source, draft, created, updated, gone, warnings, dryRun } = viewed
  const isFiled = new Set(dryRun ? created.map(({ uid }) => uid) : [])
  const planNames = new Map<string, Task>()
  for (const task of [
    draft.top,
    ...viewed.outside.values(),
    ...draft.tasks.values(),
    ...[...draft.parts.values()].flat(),
    ...[...viewed.remade.values()].flat().map(({ task }) => task),
  ])
    planNames.set(refOf(task), task)
  const outsiders = new Set([...viewed.outside.values()].map(({ uid }) => uid))
  const changed = new Map(viewed.tasks.map((task) => [task.uid, task]))
  const statusOf = (task: Task) => (changed.get(task.uid) ?? task).status
  const rowOf = (task: Task, more: Partial<PlanRow>): PlanRow => ({
    ...{
      key: task.key ?? null,
      title: titleOf(task),
      state: 'new',
      status: statusOf(task),
      parent_key: null,
      line: null,
    },
    ...{ score: null, split: null, changes: [], milestone_id: task.milestone_id ?? null },
    ...namesOf(task, isFiled),
    dependencies: task.depends_on.map((ref) => {
      const dependency = dependencyOf(task, planNames.get(ref), isFiled, ref)
      // The key belongs to another plan, which may use the same keys.
      return outsiders.has(planNames.get(ref)?.uid ?? '') ? { ...dependency, key: null } : dependency
    }),
    ...more,
    changes: (more.changes ?? []).map((change) => nameRefs(change, planNames)),
  })
  const isNewTop = draft.created.includes(draft.top)
  return {
    plan_file: source.planFile,
    title: titleOf(draft.top),
    dry_run: dryRun,
    created_count: created.length,
    updated_count: updated.length,
    replaced_count: viewed.replaced.length,
    top: rowOf(draft.top, { state: isNewTop ? 'new' : 'known' }),
    milestones: [...viewed.milestones.byId.values()],
    tasks: plan.tasks.flatMap((task) => rowsOf(viewed, task, rowOf)),
    gone: gone.map(({ id, number, key, status, ...task }) => ({
      id,
      number,
      key: key ?? null,
      title: titleOf(task),
      status,
    })),
    warnings,
  }
}

type RowOf = (task: Task, more: Partial<PlanRow>) => PlanRow

/** The task, and below it the parts it was divided into. */
function rowsOf({ draft, known, sizes, remade }: Viewed, planned: PlannedTask, rowOf: RowOf): PlanRow[] {
  const { task, state, changes }: Omit<KnownTask, 'state'> & { state: PlanRow['state'] } = known.get(planned) ?? {
    task: draft.tasks.get(planned) as Task,
    state: 'new',
    changes: [],
  }
  // A task without a title is called by the beginning of its content.
  const shown = changes.map((change) => (change.field === 'title' ? { ...change, to: planned.title } : change))
  const size = sizes.get(planned)
  const parts = draft.parts.get(planned) ?? []
  const split =
    size?.split && parts.length > 0 ? { strategy: size.split.strategy, parts: parts.map(({ key = '' }) => key) } : null
  const score = shortScore(size?.score)
  return [
    rowOf(task, {
      key: planned.key,
      parent_key: planned.parent,
      line: planned.line,
      score,
      split,
      state,
      changes: shown,
    }),
    ...parts.map((part, at) =>
      rowOf(part, { parent_key: planned.key, line: planned.line, score: shortScore(size?.partScores[at]) }),
    ),
    ...(remade.get(planned) ?? []).map(({ task: part, score: own, ...became }) =>
      rowOf(part, { parent_key: planned.key, line: planned.line, score: shortScore(own ?? undefined), ...became }),
    ),
  ]
}

/** Other tasks by their keys, the names that a reader of the plan knows. */
function nameRefs(change: PlanChange, planNames: ReadonlyMap<string, Task>): PlanChange {
  if (change.field !== 'depends_on') return change
  const name = (ref: string) => planNames.get(ref)?.key ?? planNames.get(ref)?.id ?? ref.slice(0, 'task-'.length + 12)
  return { ...change, from: (change.from as string[]).map(name), to: (change.to as string[]).map(name) }
}

function shortScore(score: Complexity | undefined): PlanRow['score'] {
  return score === undefined ? null : { total: score.total, level: score.level, action: score.action }
}

function namesOf(task: Task, unfiled: ReadonlySet<string>): Pick<PlanRow, 'id' | 'number'> {
  return unfiled.has(task.uid) ? { id: null, number: null } : { id: task.id, number: task.number }
}

function dependencyOf(task: Task, other: Task | undefined, unfiled: ReadonlySet<string>, ref: string): RowDependency {
  const kind = dependencyField(task, ref) ?? 'depends_on'
  if (other === undefined)
    return { key: null, id: ref.slice(0, 'task-'.length + 12), number: null, kind, origin: 'explicit', files: [] }
  const origin = dependencyKind(task, other)
  return {
    key: other.key ?? null,
    ...namesOf(other, unfiled),
    kind,
    origin,
    files: origin === 'file' ? sharedFiles(task, other) : [],
  }
}
