import type { TaskSizeLimits } from '../../core/config/settings.ts'
import { command, sentence } from '../../core/sentence.ts'
import { type Complexity, scoreTask } from '../../core/size/complexity.ts'
import { fieldsForParts } from '../../core/size/parts.ts'
import { type Part, partFields, planSplit, type SplitPlan } from '../../core/size/plan-split.ts'
import type { Strategy } from '../../core/size/strategies.ts'
import type { NewTask } from '../../core/task/operations.ts'
import { isUnstarted } from '../../core/task/status-predicates.ts'
import { refOf, type Task, type TaskRef } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { childrenOf } from '../../state/index/family-entries.ts'
import { undeletedWithKey } from '../../state/index/find-entries.ts'
import { leaseOf } from '../../state/live/leases.ts'
import { openTaskFactory } from '../../tasks/task-factory.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import { entry, findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { derivedStatus, nameOf } from '../../workspace/views/task-status.ts'
import { viewChanged } from '../../workspace/views/view-changed.ts'
import type { TaskName, TaskView } from '../../workspace/views/views.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { scoreContext } from './score-task.ts'

export interface SplitInput {
  strategy?: Strategy
  dryRun?: boolean
}

export interface Split {
  task: TaskName & { key: string }
  /** The criteria of the whole: parts call them C1, C2 … */
  criteria: string[]
  score: Complexity
  plan: SplitPlan
  /** The parts as they were filed, or would be in a dry run. */
  created: TaskView[]
}

/**
 * Files the parts of a task as its children, in one commit. The task itself is not touched, so agents may do this too.
 */
export async function splitTask(ws: Workspace, ref: string, { strategy, dryRun }: SplitInput = {}): Promise<Split> {
  const { task_size_limits } = await loadConfiguration(ws)
  const { children, ...split } = changeLedger(ws, (view) => {
    const task = splittable(view, ref)
    const decided = decide(view, task, { limits: task_size_limits, ...(strategy && { strategy }) })
    if (decided.plan.kind === 'unsplittable') throw unsplittable(decided.task.number, decided.plan.why)
    const children = decided.plan.kind === 'split' ? fileParts(view, task, decided.plan.parts) : []
    const subject = `split ${task.id} into ${children.map(({ key }) => key).join(' ')}`
    return { tasks: dryRun ? [] : children, subject, result: { ...decided, children } }
  })
  return { ...split, created: viewChanged(ws, children) }
}

function decide(view: LedgerView, task: Task, options: { limits: TaskSizeLimits; strategy?: Strategy }) {
  const row = entry(view, task.uid)
  if (row === undefined) throw new Error(`the index has no row for ${task.id}`)
  const key = keyFor(view, task, row.number)
  const context = scoreContext(view, options.limits, task)
  const score = scoreTask(task, context)
  const names = { name: task.key ?? row.id, isKeyTaken: (other: string) => isKeyTaken(view, other) }
  return {
    task: { ...nameOf(view, row), key },
    criteria: task.acceptance_criteria ?? [],
    score,
    plan: planSplit({ ...task, key }, score, { ...options, ...context, ...names }),
  }
}

function unsplittable(number: number, why: string): UserError {
  return new UserError('UNSPLITTABLE', `Task #${number} cannot be split: ${why}`, {
    hint: sentence`${command`edit ${number} --files-to-modify A,B --accept "…"`} adds details; ${command`score ${number}`} shows its score`,
  })
}

/** Parts are named after the whole, even if it has no key. */
function keyFor(view: LedgerView, task: Task, number: number): string {
  if (task.key !== undefined) return task.key
  return isKeyTaken(view, `T${number}`) ? task.id : `T${number}`
}

function isKeyTaken({ ws, row }: LedgerView, key: string): boolean {
  return undeletedWithKey(ws.state, row.lid, key).length > 0
}

function splittable(view: LedgerView, ref: string): Task {
  const task = findTask(view, ref)
  const row = entry(view, task.uid)
  if (row === undefined) throw new Error(`the index has no row for ${task.id}`)
  const status = derivedStatus(view, row)
  if (!isUnstarted({ status }) && !isOwnRun(view, task))
    throw new UserError('NOT_PENDING', `Task #${row.number} is ${status}; only a pending task can be split`, {
      hint: command`show ${row.number}`,
    })
  const [child] = childrenOf(view.ws.state, view.row.lid, task.uid)
  if (child === undefined) return task
  throw new UserError('HAS_CHILDREN', `Task #${row.number} already has children, such as ${child.id}`, {
    hint: command`split ${child.number}`,
  })
}

/** An agent may break down the task that it is working on; nobody else may do that meanwhile. */
function isOwnRun({ ws }: LedgerView, task: Task): boolean {
  const lease = ws.live === null ? null : leaseOf(ws.live, task.uid)
  return task.status === 'pending' && ws.actor.run !== undefined && lease?.run === ws.actor.run
}

/** The first part waits for the dependencies of the whole, each other part for the one before it. */
function fileParts(view: LedgerView, whole: Task, parts: readonly Part[]): Task[] {
  const create = openTaskFactory(view)
  const filed = new Map<string, TaskRef>()
  return parts.map((part) => {
    const before = part.after.flatMap((key) => filed.get(key) ?? [])
    const order = before.length > 0 ? { depends_on: before } : dependenciesOfWhole(whole)
    const task = create({ ...fieldsForParts(whole), ...partFields(part), ...order, parent: refOf(whole) })
    filed.set(part.key, refOf(task))
    return task
  })
}

function dependenciesOfWhole({ after, depends_on, based_on, same_branch }: Task): Partial<NewTask> {
  return { after, depends_on, based_on, same_branch }
}
