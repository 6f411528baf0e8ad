/** How a task in another tool now differs from the ledger. */

import type { PlanChange } from '../../core/plan/compare-planned.ts'
import { addNote, closeTask, editTask, type NewTask } from '../../core/task/operations.ts'
import { type Editable, type Task, type TaskRef, titleOf } from '../../core/task/task.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import type { ForeignTask } from './tools/importer.ts'

/** The shape is public. */
export interface ForeignDifference {
  id: string
  number: number
  key: string
  title: string
  changes: PlanChange[]
}

export interface Compared {
  task: Task
  changes: PlanChange[]
}

export interface Comparing {
  foreign: ForeignTask
  /** Its fields as a first import would file them. */
  fields: NewTask
  /** Its dependencies and its parent that are in the ledger, and all tasks of this tool in the ledger. */
  waits: readonly TaskRef[]
  parent: TaskRef | undefined
  milestone: string | undefined
  ofTool: ReadonlySet<TaskRef>
}

/** What the tool leaves open may have been decided by people here: that is not a difference. */
export function compareForeign(view: LedgerView, task: Task, comparing: Comparing): PlanChange[] {
  const { foreign, fields, waits, parent, milestone, ofTool } = comparing
  const { content, acceptance_criteria, files_to_modify } = fields
  const { priority, type, group, isOnHold } = foreign
  const wanted = {
    ...{ content, priority, type, group, parent, acceptance_criteria, files_to_modify, milestone_id: milestone },
    ...(isOnHold && { on_hold: true }),
  }
  const edited = Object.entries(wanted).flatMap(([field, to]): PlanChange[] => {
    const from = task[field as keyof Editable] ?? null
    return to === undefined || JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }]
  })
  return [...edited, ...comparedDependencies(task, waits, ofTool), ...comparedFacts(view, task, foreign)]
}

/** A dependency on a task of another origin is kept. */
function comparedDependencies(task: Task, waits: readonly TaskRef[], ofTool: ReadonlySet<TaskRef>): PlanChange[] {
  const ours = task.depends_on.filter((ref) => ofTool.has(ref))
  if (ours.length === waits.length && waits.every((ref) => ours.includes(ref))) return []
  const others = task.depends_on.filter((ref) => !ofTool.has(ref))
  return [{ field: 'depends_on', from: task.depends_on, to: [...others, ...waits] }]
}

/** A task that somebody works on is closed by its worker. */
function comparedFacts(view: LedgerView, task: Task, { status, notes }: ForeignTask): PlanChange[] {
  const known = new Set(task.notes.map(({ text }) => text))
  const added = notes.filter((note) => !known.has(note))
  const isOver = status !== 'pending' && !view.leased.has(task.uid)
  return [
    ...(added.length > 0 ? [{ field: 'notes', from: null, to: added }] : []),
    ...(isOver ? [{ field: 'status', from: task.status, to: status }] : []),
  ]
}

export function applyDifference({ ws }: LedgerView, { task, changes }: Compared): Task {
  const now = { at: ws.now(), by: ws.actor.name }
  return changes.reduce((next, { field, to }) => {
    if (field === 'notes')
      return (to as string[]).reduce((noted, text) => addNote(noted, text, now, ws.random(8)), next)
    if (field !== 'status') return editTask(next, { [field]: to }, now)
    return closeTask(next, to as 'completed', now, { head: null, branch: null, commits: [] })
  }, task)
}

/** Other tasks by their keys, the names that a user of the other tool knows. */
export function showDifference({ task, changes }: Compared, keys: ReadonlyMap<TaskRef, string>): ForeignDifference {
  const name = (ref: unknown) => keys.get(ref as TaskRef) ?? String(ref).slice(0, 'task-'.length + 12)
  const shown = (field: string, value: unknown) => {
    if (field === 'depends_on') return (value as TaskRef[]).map(name)
    return field === 'parent' && value !== null ? name(value) : value
  }
  return {
    ...{ id: task.id, number: task.number, key: task.key ?? '', title: titleOf(task) },
    changes: changes.map(({ field, from, to }) => ({ field, from: shown(field, from), to: shown(field, to) })),
  }
}
