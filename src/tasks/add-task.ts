import { command } from '../core/sentence.ts'
import type { NewTask } from '../core/task/operations.ts'
import { parseRef } from '../core/task/ref/resolve-ref.ts'
import { refOf, type Task, type TaskRef, titleOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { refuseTakenKey } from '../workspace/ledger/taken-keys.ts'
import { type AddInput, newTaskFrom } from '../workspace/views/field-input.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { CycleWords } from './checks/refuse-cycles.ts'
import { refuseNothingToReview } from './checks/refuse-nothing-to-review.ts'
import { warnOfFinishedParent } from './checks/warn-of-finished-parent.ts'
import { openTaskFactory } from './task-factory.ts'

export function addTask(ws: Workspace, input: AddInput): TaskView {
  return views().viewChanged(ws, [fileTask(ws, input).task])[0] as TaskView
}

/** What is printed of a new task. */
export type AddedTask = Pick<TaskView, 'id' | 'number' | 'title' | 'after' | 'depends_on' | 'based_on'>

/** The same, for a caller that needs no more. The ledger is read again only for the names of other tasks, and to warn. */
export function addTaskBriefly(ws: Workspace, input: AddInput): AddedTask {
  const { task, hasUnreadable } = fileTask(ws, input)
  if (hasUnreadable || hasLinks(task)) return views().viewChanged(ws, [task])[0] as TaskView
  const { id, number } = task
  return { id, number, title: titleOf(task), after: [], depends_on: [], based_on: [] }
}

/** Loaded only where more than a line is printed. */
function views(): typeof import('../workspace/views/view-changed.ts') {
  return require('../workspace/views/view-changed.ts')
}

interface FiledTask {
  task: Task
  /** The ledger has lines that cannot be read. */
  hasUnreadable: boolean
}

function fileTask(ws: Workspace, input: AddInput): FiledTask {
  if (input.same_branch && !input.based_on?.length) {
    const hint = command`add --based-on 1 --same-branch`
    throw new UserError('NEEDS_BASED_ON', '--same-branch requires --based-on', { hint, exitCode: 2 })
  }
  return changeLedger(ws, (view) => {
    const task = openTaskFactory(view)({ ...inherited(view, input), ...newTaskFrom(view, input) })
    checkNew(view, [task])
    return { tasks: [task], subject: `add ${task.id}`, result: { task, hasUnreadable: view.row.unreadable > 0 } }
  })
}

/** A new task, and a name by which others of the same call can refer to it. It is not stored. */
export interface NamedInput extends AddInput {
  name?: string
}

/** Adds several tasks in one change, or none of them. Those that others of them wait for get the lower numbers. */
export function addTasks(ws: Workspace, inputs: readonly NamedInput[]): TaskView[] {
  refuseBadNames(inputs)
  const tasks = changeLedger(ws, (view) => {
    const make = openTaskFactory(view)
    const made = new Map<NamedInput, Task>()
    const named = new Map<string, Task>()
    for (const input of inDependencyOrder(inputs)) {
      const task = make(fieldsAmong(view, input, named))
      made.set(input, task)
      if (input.name !== undefined) named.set(input.name, task)
    }
    const created = [...made.values()]
    checkNew(view, created)
    const result = inputs.map((input) => made.get(input) as Task)
    return { tasks: created, subject: `add ${created.map(({ id }) => id).join(' ')}`, result }
  })
  return views().viewChanged(ws, tasks)
}

function refuseBadNames(inputs: readonly NamedInput[]): void {
  const names = inputs.flatMap(({ name }) => name ?? [])
  const bad = names.find((name, at) => parseRef(name).kind !== 'key' || names.indexOf(name) !== at)
  if (bad === undefined) return
  const why = parseRef(bad).kind === 'key' ? 'is given twice' : 'looks like a number or an id'
  throw new UserError('BAD_NAME', `The name '${bad}' ${why}`, { hint: 'Give each new task its own, such as parser.' })
}

/** Each after those that it names, otherwise as given. */
function inDependencyOrder(inputs: readonly NamedInput[]): NamedInput[] {
  const ordered: NamedInput[] = []
  let left = [...inputs]
  while (left.length > 0) {
    const open = new Set(left.flatMap(({ name }) => name ?? []))
    const ready = left.filter((input) => refsOf(input).every((ref) => !open.has(ref)))
    if (ready.length === 0) throw namedCycle([...open])
    // One at a time: what it frees may have been given before the others.
    ordered.push(ready[0] as NamedInput)
    left = left.filter((input) => input !== ready[0])
  }
  return ordered
}

function refsOf({ after = [], depends_on = [], based_on = [], parent }: NamedInput): string[] {
  return [...after, ...depends_on, ...based_on, ...(parent === undefined ? [] : [parent])]
}

function namedCycle(names: readonly string[]): UserError {
  return new UserError('DEPENDENCY_CYCLE', `These tasks would wait for each other: ${names.join(', ')}`, {
    hint: 'Nothing was filed. Leave out one of these links.',
  })
}

/** The fields of a new task, with references to tasks of the ledger and to those that were made with it. */
function fieldsAmong(view: LedgerView, input: NamedInput, named: ReadonlyMap<string, Task>): NewTask {
  const { name: _name, parent, ...rest } = input
  const above = parent === undefined ? undefined : named.get(parent)
  const known = { ...rest, ...(parent !== undefined && above === undefined && { parent }) }
  const links: Partial<Record<(typeof LINKS)[number], TaskRef[]>> = {}
  for (const link of LINKS) {
    const refs = known[link] ?? []
    delete known[link]
    if (refs.length > 0) links[link] = [...new Set(refs.map((ref) => refOf(named.get(ref) ?? findTask(view, ref))))]
  }
  const family = above === undefined ? inherited(view, known) : { ...inheritedFrom(above), parent: refOf(above) }
  return { ...family, ...newTaskFrom(view, known), ...links }
}

const LINKS = ['after', 'depends_on', 'based_on'] as const

function checkNew(view: LedgerView, created: readonly Task[]): void {
  for (const task of created) {
    refuseNothingToReview(task)
    refuseTakenKey(view, task)
    warnOfFinishedParent(view, task)
  }
  if (!haveLinks(created)) return
  const { refuseCycles }: typeof import('./checks/refuse-cycles.ts') = require('./checks/refuse-cycles.ts')
  refuseCycles(view, created, ADD_WORDS)
}

function haveLinks(created: readonly Task[]): boolean {
  for (const task of created) if (hasLinks(task)) return true
  return false
}

/** Nothing leads to a new task, so that one which leads nowhere is in no cycle. */
function hasLinks({ after, depends_on, based_on, parent }: Task): boolean {
  return after.length + depends_on.length + based_on.length > 0 || parent !== undefined
}

/** Nothing can be above a new task and also below it: only a parent can make it wait for itself. */
const ADD_WORDS: CycleWords = {
  waits: 'The new task would wait for itself',
  parents: 'The new task would be its own ancestor',
  hint: 'Nothing was filed. Leave out one of these links, or --parent.',
}

/** A subtask belongs to the plan, project, group and milestone of its parent, unless it has its own. */
function inherited(view: LedgerView, { parent }: AddInput) {
  return parent ? inheritedFrom(findTask(view, parent)) : {}
}

function inheritedFrom({ plan_file, project, group, milestone_id }: Task) {
  return { plan_file, project, group, milestone_id }
}
