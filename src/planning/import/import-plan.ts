import type { TaskSizeLimits } from '../../core/config/settings.ts'
import { matchCriteria } from '../../core/plan/match-criteria.ts'
import type { Plan, PlannedTask, PlanRemark } from '../../core/plan/plan-model.ts'
import { recogniseTasks, settleKeys } from '../../core/plan/recognise-tasks.ts'
import { readCriteria } from '../../core/plan-fields/read-criteria.ts'
import { commandLine } from '../../core/sentence.ts'
import { isPartOf } from '../../core/size/parts.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { reopenForWork } from '../../core/task/operations.ts'
import { refOf, type Task, titleOf } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { entriesOfPlan } from '../../state/index/find-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { withFinishedParents } from '../../tasks/checks/finish-parents.ts'
import { type CycleWords, refuseCycles } from '../../tasks/checks/refuse-cycles.ts'
import { openTaskFactory } from '../../tasks/task-factory.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { changeLedger, type Decision } from '../../workspace/ledger/change-ledger.ts'
import { findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { sizePlan } from '../split/size-plan.ts'
import { compareKnown } from './compare-known.ts'
import { type DraftInput, draftPlan, type PlanDraft } from './draft-plan.ts'
import { findRenamedPlan } from './find-renamed-plan.ts'
import { planMilestones } from './plan-milestones.ts'
import { findPlanSource, nameOfPiped, type PlanSource, type PlanText, STANDARD_INPUT } from './plan-source.ts'
import { placeOf, readPlanText, refuseProblems } from './read-plan-text.ts'
import { recordPlanCycles } from './record-plan-cycles.ts'
import { type RemadeOfPlan, remakePlanParts } from './remake-plan-parts.ts'
import { type PlanImport, viewImport } from './view-import.ts'

export interface PlanInput {
  /** A file, or the task that wrote the plan. */
  name: string
  /** The file, if there is one with that name; standard input has no path. */
  file: PlanText | null
  dryRun?: boolean
  /** Update open tasks that are already in the ledger to match the plan. */
  update?: boolean
}

/** What the decision needs besides the ledger, read once. */
export interface PreparedPlan {
  plan: Plan
  source: PlanSource
  limits: TaskSizeLimits
  warnings: string[]
}

/** Files the tasks of a plan in one commit, or none of them. Tasks that are already in the ledger are recognised. */
export async function importPlan(ws: Workspace, input: PlanInput): Promise<PlanImport> {
  if (input.update) assertAllowed('plan import --update', ws.actor)
  const { task_size_limits } = await loadConfiguration(ws)
  const prepared = await prepare(ws, input, task_size_limits)
  const { planFile } = prepared.source
  const isPiped = input.file?.path === null
  const name = input.file === null || isPiped ? input.name : planFile
  const about = {
    subject: isPiped ? STANDARD_INPUT : planFile,
    command: ['plan', 'import', name],
    dryRun: input.dryRun,
  }
  return recordPlanCycles(ws, about, () => changeLedger(ws, (view) => decide(view, prepared, input)))
}

async function prepare(ws: Workspace, input: PlanInput, limits: TaskSizeLimits): Promise<PreparedPlan> {
  const found = findPlanSource(ws, input.name, input.file)
  const plan = await readPlanText(found.name, found.text)
  const source = input.file?.path === null ? { ...found, planFile: nameOfPiped(plan.title, found.text) } : found
  const { product } = source
  const unmatched = product === null ? [] : matchCriteria(plan.tasks, readCriteria(product.text))
  const warnings = unmatched.map((remark) => `${placeOf(product?.name ?? '', remark)}: ${remark.why}`)
  return { plan, source, limits, warnings }
}

function decide(view: LedgerView, prepared: PreparedPlan, input: PlanInput): Decision<PlanImport> {
  const { source, limits } = prepared
  const { outside, problems, remarks } = findOutside(view, prepared.plan)
  refuseProblems(source.name, [...prepared.plan.problems, ...problems])
  const filed = filedTasks(view, source.planFile)
  const top = filed.find((task) => task.parent === undefined && !task.deleted)
  const others = filed.filter((task) => task !== top)
  const { plan, found } = settleKeys(prepared.plan, recogniseTasks(prepared.plan.tasks, others), others)
  const milestones = planMilestones(view, source.planFile, plan.milestones)
  const { sizes, warnings } = sizePlan(plan, { repo: view.ws.repo, limits, isNew: (task) => !found.has(task) })
  const draftInput: DraftInput = {
    plan,
    source,
    milestones,
    sizes,
    known: found,
    top,
    home: findHome(filed, top),
    outside,
  }
  const create = openTaskFactory(view)
  const draft = draftPlan(view, create, draftInput)
  const known = compareKnown(view, draftInput, draft, input.update ?? false)
  const remade: RemadeOfPlan = input.update
    ? remakePlanParts(view, { before: found, known, filed, limits, create })
    : { parts: new Map(), warnings: [] }
  const parts = [...remade.parts.values()].flat()
  const created = [...draft.created, ...parts.flatMap(({ task, state }) => (state === 'new' ? [task] : []))]
  const updated = [...known.values(), ...parts].flatMap(({ task, state }) => (state === 'updated' ? [task] : []))
  const replaced = parts.flatMap(({ task, state }) => (state === 'replaced' ? [task] : []))
  const changed = [...created, ...updated, ...replaced, ...reopenParents(view, filed, draft)]
  refuseCycles(view, changed, cycleWords(source, draft))
  const { tasks, subject } = withFinishedParents(view, {
    tasks: changed,
    subject: `import plan ${source.planFile}: ${created.length} new, ${updated.length} changed${replaced.length > 0 ? `, ${replaced.length} replaced` : ''}`,
  })
  const all = [...plan.warnings, ...milestones.warnings, ...warnings, ...remade.warnings, ...remarks].sort(
    (a, b) => a.line - b.line,
  )
  const result = viewImport({
    ...{
      plan,
      source,
      draft,
      known,
      milestones,
      sizes,
      tasks,
      outside,
      created,
      updated,
      replaced,
      remade: remade.parts,
    },
    gone: goneTasks(filed, top, found),
    warnings: [
      ...(filed.length === 0 ? warnOfRenamedPlan(view, source, plan) : []),
      ...all.map((remark) => `${placeOf(source.name, remark)}: ${remark.why}`),
      ...prepared.warnings,
    ],
    dryRun: input.dryRun ?? false,
  })
  const hasNothing = input.dryRun || tasks.length === 0
  return {
    tasks: hasNothing ? [] : tasks,
    artifacts: hasNothing ? new Map() : milestones.artifacts,
    subject,
    result,
  }
}

/** A plan that was moved would be filed twice. */
function warnOfRenamedPlan(view: LedgerView, source: PlanSource, { tasks }: Plan): string[] {
  const renamed = findRenamedPlan(view, source.planFile, tasks)
  if (renamed === null) return []
  const which = renamed.count === tasks.length ? 'all of its tasks' : `${renamed.count} of its ${tasks.length} tasks`
  return [
    `${source.name}: the ledger already has ${which} from ${renamed.planFile}; this import duplicates them. If it is the same plan, import it under that name, and revert this import with ${commandLine`undo`}`,
  ]
}

/** A cycle that goes through tasks of the ledger: new tasks have the names of the plan. */
function cycleWords(source: PlanSource, draft: PlanDraft): CycleWords {
  const planned = new Map([...draft.tasks].map(([plan, { uid }]) => [uid, plan]))
  return {
    waits: `${source.name}: tasks wait for each other`,
    parents: `${source.name}: tasks are each other’s parents`,
    hint: 'Nothing was imported. Correct the plan and import it again.',
    nameOf: (task) => {
      const plan = planned.get(task.uid)
      return plan === undefined ? titleOf(task) : `${plan.key} '${plan.title}' (line ${plan.line})`
    },
  }
}

/** All tasks that name the plan, including deleted ones: a task that a person deleted does not come back. */
function filedTasks({ ws, row }: LedgerView, planFile: string): Task[] {
  return entriesOfPlan(ws.state, row.lid, planFile).flatMap(({ uid }) => taskOf(ws.state, row.lid, uid) ?? [])
}

/** If a TODO item is done in steps, the plan's tasks are children of its step "Execute plan". */
function findHome(filed: readonly Task[], top: Task | undefined): Task | undefined {
  const isStep = (task: Task) => !task.deleted && top !== undefined && task.parent === refOf(top)
  return filed.find((task) => isStep(task) && /^execute\b.*\bplan$/i.test(titleOf(task))) ?? top
}

/** Names in the plan of tasks that are not in it: the ledger may have them. */
function findOutside(view: LedgerView, plan: Plan): Outside {
  const found: Outside = { outside: new Map(), problems: [], remarks: [] }
  const missing = new Set<string>()
  for (const { name, isSure, ...place } of plan.tasks.flatMap((task) => task.outside)) {
    if (found.outside.has(name) || missing.has(name)) continue
    const task = findNamed(view, name)
    if (typeof task !== 'string') {
      found.outside.set(name, task)
      continue
    }
    missing.add(name)
    if (isSure) found.problems.push({ ...place, why: task })
    else found.remarks.push({ ...place, why: `'${name}' does not name a task; it is kept as text` })
  }
  return found
}

interface Outside {
  outside: Map<string, Task>
  problems: PlanRemark[]
  remarks: PlanRemark[]
}

/** The task, or why there is none. */
function findNamed(view: LedgerView, name: string): Task | string {
  try {
    return findTask(view, name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.code === 'TASK_NOT_FOUND'
      ? `there is no task ${name}, neither in the plan nor in the ledger`
      : error.message
  }
}

/** New work below finished parents opens them again; agents leave that to people. */
function reopenParents(view: LedgerView, filed: readonly Task[], draft: PlanDraft): Task[] {
  if (view.ws.actor.mode === 'agent') return []
  const byRef = new Map(filed.map((task) => [refOf(task), task]))
  const above = new Set<Task>()
  for (const { status, parent } of draft.created) {
    if (status !== 'pending') continue
    for (let task = parent && byRef.get(parent); task && !above.has(task); task = task.parent && byRef.get(task.parent))
      above.add(task)
  }
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  return [...above].filter((task) => task.status !== 'pending' && !task.deleted).map((task) => reopenForWork(task, now))
}

/** Tasks of an earlier version that this plan no longer has. Parts of a split were never in it. */
function goneTasks(filed: readonly Task[], top: Task | undefined, found: ReadonlyMap<PlannedTask, Task>): Task[] {
  const matched = new Set([...found.values()].map(({ uid }) => uid))
  const byRef = new Map(filed.map((task) => [refOf(task), task]))
  const isPart = (task: Task) => {
    const whole = task.parent && byRef.get(task.parent)
    return whole !== undefined && whole !== top && isPartOf(task, whole)
  }
  return filed.filter(
    (task) => task !== top && task.key !== undefined && !task.deleted && !matched.has(task.uid) && !isPart(task),
  )
}
