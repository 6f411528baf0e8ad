/**
 * Joins two copies of a ledger into one. The join uses neither a common ancestor nor a clock alone. It is commutative,
 * associative and idempotent, so clones that exchange in any order end with the same bytes. Sets (notes, edits,
 * commits, runs, numbers) are united; the status is the maximum of a total order; each editable field is the maximum of
 * its edits; what should never differ (a birth) takes the canonically greater side, and verify reports it.
 */

import type { Edit, Editable, EditableField, Note, Run, Status, Task } from '../task/task.ts'
import { separateIds } from '../task/task-ids.ts'
import { canonical, compareText, greater } from './canonical.ts'
import { EDITABLE_FIELDS } from './editable-fields.ts'

export function joinTasks(a: readonly Task[], b: readonly Task[]): Task[] {
  const joined = new Map(a.map((task) => [task.uid, task]))
  for (const task of b) {
    const mine = joined.get(task.uid)
    joined.set(task.uid, mine ? joinTask(mine, task) : task)
  }
  return separateIds([...joined.values()])
}

export function joinTask(a: Task, b: Task): Task {
  const edits = joinEdits(a.edits, b.edits)
  return {
    ...joinCreation(a, b),
    ...joinFields(a, b, edits),
    ...joinClosing(a, b),
    id: a.id.length >= b.id.length ? a.id : b.id,
    uid: a.uid,
    renumbered: uniteNumbers(a.renumbered, b.renumbered),
    commits: [...new Set([...a.commits, ...b.commits])].sort(compareText),
    notes: joinNotes(a.notes, b.notes),
    edits,
    runs: joinRuns(a.runs, b.runs),
    phases: joinFacts(a.phases, b.phases),
    landings: joinFacts(a.landings, b.landings),
    ...joinExtra(a.extra, b.extra),
  }
}

/** The winning edit of a field, if it was ever edited. */
export function winningEdit(edits: readonly Edit[], field: EditableField): Edit | undefined {
  return edits.filter((edit) => edit.field === field).reduce<Edit | undefined>(greaterEdit, undefined)
}

/** Edits that lost against one made at the same time elsewhere: without this, nobody would see their text. */
export function lostEdits(edits: readonly Edit[]): Edit[] {
  return edits.filter((edit) => {
    const winner = winningEdit(edits, edit.field)
    return winner?.n === edit.n && canonical(winner.value) !== canonical(edit.value)
  })
}

type CreationPart = Pick<Task, 'salt' | 'number' | 'created_at' | 'created_by' | 'created_head' | 'original'>

function joinCreation(a: Task, b: Task): CreationPart {
  return greater(creationOf(a), creationOf(b))
}

function creationOf(task: Task): CreationPart {
  const { salt, number, created_at, created_by, created_head } = task
  return {
    salt,
    number,
    created_at,
    created_by,
    original: creationContent(task),
    ...(created_head && { created_head }),
  }
}

function creationContent(task: Task): string {
  return task.original ?? task.content
}

function joinFields(a: Task, b: Task, edits: readonly Edit[]): Editable & { original?: string } {
  const original = joinCreation(a, b).original ?? a.content
  const fields: Partial<Record<EditableField, unknown>> = {}
  for (const field of EDITABLE_FIELDS) {
    const edit = winningEdit(edits, field)
    const value = edit ? edit.value : field === 'content' ? original : greaterOf(a[field], b[field])
    if (value !== undefined && value !== null) fields[field] = value
  }
  const isEdited = winningEdit(edits, 'content') !== undefined
  return { ...(fields as unknown as Editable), ...(isEdited ? { original } : { original: undefined }) }
}

function greaterOf<T>(a: T, b: T): T {
  if (a === undefined) return b
  return b === undefined ? a : greater(a, b)
}

const RANK: Record<Status, number> = { pending: 0, failed: 1, skipped: 2, completed: 3 }

type Closing = Pick<
  Task,
  'generation' | 'status' | 'closed_at' | 'closed_by' | 'closed_commit' | 'link' | 'closed_head' | 'closed_branch'
>

function joinClosing(a: Task, b: Task): Closing {
  const [x, y] = [closingOf(a), closingOf(b)]
  return compareClosing(x, y) >= 0 ? x : y
}

function closingOf(task: Task): Closing {
  const { generation, status, closed_at, closed_by, closed_commit, link, closed_head, closed_branch } = task
  return {
    generation,
    status,
    closed_at,
    closed_commit,
    link,
    ...(closed_by && { closed_by }),
    ...(closed_head && { closed_head }),
    ...(closed_branch && { closed_branch }),
  }
}

/** Generation, then rank, then the newer link; of two equal closings the earlier one wins. */
function compareClosing(a: Closing, b: Closing): number {
  return (
    a.generation - b.generation ||
    RANK[a.status] - RANK[b.status] ||
    a.link - b.link ||
    compareText(b.closed_at ?? '', a.closed_at ?? '') ||
    compareText(canonical(a), canonical(b))
  )
}

function uniteNumbers(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y)
}

function joinEdits(a: readonly Edit[], b: readonly Edit[]): Edit[] {
  const united = new Map([...a, ...b].map((edit) => [canonical(edit), edit]))
  return [...united.entries()].sort(([, x], [, y]) => compareEdits(x, y)).map(([, edit]) => edit)
}

export function compareEdits(a: Edit, b: Edit): number {
  return compareText(a.field, b.field) || a.n - b.n || compareText(canonical(a), canonical(b))
}

function greaterEdit(best: Edit | undefined, edit: Edit): Edit {
  if (!best) return edit
  const order =
    best.n - edit.n || compareText(best.by, edit.by) || compareText(canonical(best.value), canonical(edit.value))
  return order >= 0 ? best : edit
}

function joinNotes(a: readonly Note[], b: readonly Note[]): Note[] {
  const united = new Map<string, Note>()
  for (const note of [...a, ...b]) {
    const mine = united.get(note.id)
    united.set(note.id, mine ? joinNote(mine, note) : note)
  }
  return [...united.values()].sort(compareNotes)
}

function joinNote(a: Note, b: Note): Note {
  const { retracted: _, ...kept } = greater({ ...a, retracted: undefined }, { ...b, retracted: undefined })
  return { ...kept, ...((a.retracted || b.retracted) && { retracted: true }) }
}

export function compareNotes(a: Note, b: Note): number {
  return Number.parseInt(a.id, 10) - Number.parseInt(b.id, 10) || compareText(a.id, b.id)
}

function joinRuns(a: readonly Run[], b: readonly Run[]): Run[] {
  const united = new Map<string, Run>()
  for (const run of [...a, ...b]) {
    const mine = united.get(run.run)
    united.set(run.run, mine ? joinRun(mine, run) : run)
  }
  return [...united.values()].sort((x, y) => x.attempt - y.attempt || compareText(x.run, y.run))
}

/** An end is final: a copy with the end beats one without it. */
function joinRun(a: Run, b: Run): Run {
  if (Boolean(a.ended_at) !== Boolean(b.ended_at)) return a.ended_at ? a : b
  return greater(a, b)
}

/** Facts that never change once they are written: the union of both sides. */
function joinFacts<T extends { at: string }>(a: readonly T[], b: readonly T[]): T[] {
  const united = new Map([...a, ...b].map((fact) => [canonical(fact), fact]))
  return [...united.values()].sort(compareFacts)
}

export function compareFacts(a: { at: string }, b: { at: string }): number {
  return compareText(a.at, b.at) || compareText(canonical(a), canonical(b))
}

function joinExtra(a: Task['extra'], b: Task['extra']): Pick<Task, 'extra'> {
  if (!a && !b) return {}
  const extra: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b ?? {}))
    extra[key] = Object.hasOwn(extra, key) ? greater(extra[key], value) : value
  return { extra }
}
