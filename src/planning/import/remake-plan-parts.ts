import type { TaskSizeLimits } from '../../core/config/settings.ts'
import type { PlanChange } from '../../core/plan/compare-planned.ts'
import type { PlannedTask, PlanRemark } from '../../core/plan/plan-model.ts'
import { commandLine } from '../../core/sentence.ts'
import { type Complexity, filesOf, hasCriteria, scoreTask } from '../../core/size/complexity.ts'
import { isPartOf } from '../../core/size/parts.ts'
import { type FiledPart, partsMatchWhole, remakeParts } from '../../core/size/remake-parts.ts'
import { refOf, type Task, titleOf } from '../../core/task/task.ts'
import { pendingEntriesNeeding } from '../../state/index/dependency-rows.ts'
import type { TaskFactory } from '../../tasks/task-factory.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import {
  createPart,
  editPart,
  type Family,
  isReplacedPart,
  lastUnblockedPart,
  partDependencies,
  partEdits,
  replacePart,
} from '../split/change-parts.ts'
import { readImports } from '../split/read-imports.ts'
import { tooLarge } from '../split/size-plan.ts'
import type { KnownTask } from './compare-known.ts'

/** A part of a task that the import updated, and what happened to it. */
export interface PartOfKnown {
  task: Task
  state: 'new' | 'known' | 'updated' | 'replaced'
  changes: PlanChange[]
  score: Complexity | null
}

export interface RemakeInput {
  /** The plan's tasks that are in the ledger, before the update and after it. */
  before: ReadonlyMap<PlannedTask, Task>
  known: ReadonlyMap<PlannedTask, KnownTask>
  /** All tasks that name the plan, including deleted ones. */
  filed: readonly Task[]
  limits: TaskSizeLimits
  create: TaskFactory
}

export interface RemadeOfPlan {
  parts: Map<PlannedTask, PartOfKnown[]>
  warnings: PlanRemark[]
}

/** Updates the parts of split tasks after their plan changed. A task that has become too large is split now. */
export function remakePlanParts(view: LedgerView, input: RemakeInput): RemadeOfPlan {
  const remade: RemadeOfPlan = { parts: new Map(), warnings: [] }
  const byParent = Map.groupBy(input.filed, ({ parent }) => parent)
  const planned = new Set([...input.before.values()].map(({ uid }) => uid))
  const keys = new Set(input.filed.flatMap(({ key }) => key?.toLowerCase() ?? []))
  for (const [plan, { task, changes, state }] of input.known) {
    const before = input.before.get(plan)
    if (before === undefined || (state !== 'updated' && state !== 'known') || task.status !== 'pending') continue
    const children = byParent.get(refOf(task)) ?? []
    const filed = children.filter(
      (child) => !planned.has(child.uid) && isPartOf(child, before) && !isReplacedPart(child),
    )
    const live = children.filter(({ deleted }) => !deleted)
    const isSplit = live.some((child) => filed.includes(child))
    if (!isSplit && (live.length > 0 || !input.limits.auto_split || !hasOtherScope(task, before))) continue
    const family: Family = {
      ...{ plan, task, before, changes, filed, keys },
      context: { limits: input.limits, imports: readImports(view.ws.repo, filesOf(task)) },
      isFixed: (part) => isStarted(view, part) || (byParent.get(refOf(part)) ?? []).some(({ deleted }) => !deleted),
    }
    if (!isSplit && !isToBeSplit(view, family, remade)) continue
    const parts = followWhole(view, input.create, family, remade)
    if (parts.some((part) => part.state !== 'known')) remade.parts.set(plan, parts)
  }
  return remade
}

const SCOPE = ['user_story', 'acceptance_criteria', 'files_to_create', 'files_to_modify', 'test_files'] as const

/** The input of the parts has changed: their share of the work, or the beginning of their titles. */
function hasOtherScope(task: Task, before: Task): boolean {
  if (titleOf(task) !== titleOf(before)) return true
  return SCOPE.some((field) => JSON.stringify(task[field] ?? []) !== JSON.stringify(before[field] ?? []))
}

/** A task without parts that has become too large. A task that somebody has started is not divided. */
function isToBeSplit(view: LedgerView, { plan, task, context }: Family, remade: RemadeOfPlan): boolean {
  const { total, threshold } = scoreTask(task, context)
  if (total <= threshold || !isStarted(view, task)) return total > threshold
  const why = `${plan.key} scores ${total}, above ${threshold}, and was started: ${commandLine`split ${plan.key}`} divides it`
  remade.warnings.push({ line: plan.line, why })
  return false
}

function followWhole(view: LedgerView, create: TaskFactory, family: Family, remade: RemadeOfPlan): PartOfKnown[] {
  const { task, filed } = family
  const sized = filed.map((part): FiledPart => {
    const isDropped = part.deleted === true
    return { ...part, key: part.key ?? part.id, isFixed: isDropped || family.isFixed(part), isDropped }
  })
  const mustRemake = hasOtherScope(task, family.before) || !partsMatchWhole(task, sized)
  return mustRemake ? remake(view, create, family, sized, remade) : passOn(view, family)
}

function remake(
  view: LedgerView,
  create: TaskFactory,
  family: Family,
  sized: readonly FiledPart[],
  remade: RemadeOfPlan,
): PartOfKnown[] {
  const { plan, task, before, context, filed, keys } = family
  const key = plan.key
  const { parts, superseded, leftovers, unsplittable } = remakeParts({ ...task, key }, sized, {
    ...context,
    before: { ...before, key },
    isKeyTaken: (other) => keys.has(other.toLowerCase()),
  })
  for (const part of parts) keys.add(part.key.toLowerCase())
  const warn = (why: string) => remade.warnings.push({ line: plan.line, why })
  if (unsplittable !== null) warn(tooLarge(key, scoreTask(task, context), unsplittable))
  const byKey = new Map(filed.map((part) => [part.key ?? part.id, part]))
  for (const left of leftovers) warn(leftoverText(key, byKey.get(left.key), left))
  const fixed = filed.filter((part) => !part.deleted && family.isFixed(part))
  const rows: PartOfKnown[] = fixed.map((part) => ({ ...editPart(view, family, part, {}), score: null }))
  let last = lastUnblockedPart(fixed, filed)
  for (const part of parts) {
    const old = part.isReused ? byKey.get(part.key) : undefined
    const dependencies = partDependencies(family, { old, last, isFirst: part === parts[0] })
    const score = scoreTask(part, { ...context, isPartOfClear: hasCriteria(task) })
    const row =
      old === undefined
        ? createPart(create, family, part, dependencies)
        : editPart(view, family, old, partEdits(part, dependencies))
    if (part.unsplittable !== null) warn(tooLarge(part.key, score, part.unsplittable))
    rows.push({ ...row, score })
    last = row.task
  }
  for (const gone of superseded.flatMap((name) => byKey.get(name) ?? [])) {
    rows.push({ task: replacePart(view, gone), state: 'replaced', changes: [], score: null })
    for (const name of dependentsOf(view, gone, filed))
      warn(
        `${name} waited for ${gone.key}, which is replaced: ${commandLine`edit ${name.slice(1)} --depends-on ${key}`}`,
      )
  }
  return rows
}

/** Its scope has not changed: open parts take over the fields they inherit from the whole. */
function passOn(view: LedgerView, family: Family): PartOfKnown[] {
  const { task, before, changes } = family
  const hasOtherWaits = changes.some(({ field }) => field === 'depends_on')
  const siblings = new Set(family.filed.map(refOf))
  return family.filed
    .filter(({ deleted }) => !deleted)
    .map((part) => {
      const isFirst = hasOtherWaits && !part.depends_on.some((ref) => siblings.has(ref)) && !family.isFixed(part)
      const own = part.depends_on.filter((ref) => !before.depends_on.includes(ref))
      const dependencies = isFirst ? { depends_on: [...new Set([...task.depends_on, ...own])] } : {}
      return { ...editPart(view, family, part, dependencies), score: null }
    })
}

/** Somebody works on it, has worked on it or decided about it: it stays unchanged. */
function isStarted(view: LedgerView, task: Task): boolean {
  const { status, generation, runs, commits, phases, landings } = task
  const isUntouched = status === 'pending' && generation === 0 && !view.leased.has(task.uid)
  return !isUntouched || [runs, commits, phases, landings].some((facts) => facts.length > 0)
}

function leftoverText(
  key: string,
  part: Task | undefined,
  { scope, ...left }: { key: string; scope: string[] },
): string {
  const what = scope.map((each) => `'${each}'`).join(', ')
  if (part?.status !== 'pending') return `${left.key} is ${part?.status} with ${what}, which ${key} no longer has`
  return `${left.key} stays unchanged, with ${what}, which ${key} no longer has: ${commandLine`edit ${left.key}`} removes it`
}

/** Open tasks elsewhere that wait for the part. */
function dependentsOf({ ws, row }: LedgerView, part: Task, siblings: readonly Task[]): string[] {
  const own = new Set(siblings.map(({ uid }) => uid))
  return pendingEntriesNeeding(ws.state, row.lid, part.uid)
    .filter(({ uid }) => !own.has(uid))
    .map(({ number }) => `#${number}`)
}
