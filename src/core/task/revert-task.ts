/** Takes one change of a task back, by steps forward: nothing that others did since is touched. */

import { canonical } from '../ledger/canonical.ts'
import { winningEdit } from '../ledger/join-tasks.ts'
import { briefText } from '../text/shorten.ts'
import { type Authorship, addNote, deleteTask, editTask, reopenTask, retractNote, setVerdict } from './operations.ts'
import type { Edit, EditableField, Note, Task } from './task.ts'

/** A task before and after one change; null: the change made it. */
export interface TaskStep {
  before: Task | null
  after: Task
}

/** `random` gives the id of a note that is brought back. */
export function revertTask(now: Task, step: TaskStep, authorship: Authorship, random: () => string): Task {
  const { before, after } = step
  if (before === null) return deleteTask(now, authorship)
  const noted = revertNotes(now, before, after, random)
  const edited = editTask(noted, oldValues(now, before, after), authorship)
  return revertClosing(revertVerdict(edited, before, after, authorship), before, after)
}

/** A retracted note stays retracted in every copy, so it comes back as a new one with its author and time. */
function revertNotes(now: Task, before: Task, after: Task, random: () => string): Task {
  const old = new Map(before.notes.map((note) => [note.id, note]))
  const added = after.notes.filter((note) => !note.retracted && !old.has(note.id))
  const removed = after.notes.filter((note) => note.retracted && isThere(old.get(note.id)))
  const without = added.reduce((task, note) => retractNote(task, note.id), now)
  return removed.reduce((task, { text, at, by }) => addNote(task, text, { at, by }, random()), without)
}

function isThere(note: Note | undefined): boolean {
  return note !== undefined && !note.retracted
}

/** The earlier values of the fields that the change set; a field that has another value by now keeps it. */
function oldValues(now: Task, before: Task, after: Task): Partial<Record<EditableField, unknown>> {
  const fields = editedFields(before, after).filter(
    (field) => canonical(now[field] ?? null) === canonical(after[field] ?? null),
  )
  const plain = fields.filter((field) => field !== 'final_verdict')
  return Object.fromEntries(plain.map((field) => [field, before[field] ?? (field === 'deleted' ? false : null)]))
}

/** The fields that got a new edit between two copies. */
export function editedFields(before: Task | null, after: Task): EditableField[] {
  const known = new Set(before?.edits.map(canonical))
  return [...new Set(after.edits.filter((edit: Edit) => !known.has(canonical(edit))).map(({ field }) => field))]
}

/** A verdict is about a commit, so the earlier one comes back with its commit. */
function revertVerdict(task: Task, before: Task, after: Task, authorship: Authorship): Task {
  const isSet = editedFields(before, after).includes('final_verdict') && task.final_verdict === after.final_verdict
  if (!isSet) return task
  if (before.final_verdict === undefined) return editTask(task, { final_verdict: null }, authorship)
  const head = winningEdit(before.edits, 'final_verdict')?.head ?? null
  return setVerdict(task, before.final_verdict, { ...authorship, head })
}

/** A closing is reverted by opening the task again, a reopening by closing it as before. */
function revertClosing(now: Task, before: Task, after: Task): Task {
  if (!hasOtherClosing(before, after) || now.status !== after.status) return now
  const reopened = reopenTask(now)
  if (before.status === 'pending') return reopened
  const { status, closed_at, closed_by, closed_commit, closed_head, closed_branch, link } = before
  return {
    ...reopened,
    status,
    closed_at,
    closed_commit,
    link,
    ...(closed_by !== undefined && { closed_by }),
    ...(closed_head !== undefined && { closed_head }),
    ...(closed_branch !== undefined && { closed_branch }),
  }
}

/** Was it closed or opened between two copies? */
export function hasOtherClosing(before: Task | null, after: Task): boolean {
  if (before === null) return after.status !== 'pending'
  return before.status !== after.status || before.generation !== after.generation
}

/** What differs between two copies of a task, one short text each. */
export function describeStep(before: Task, after: Task): string[] {
  const fields = editedFields(before, after).filter((field) => field !== 'deleted')
  return [
    ...(Boolean(before.deleted) === Boolean(after.deleted) ? [] : [after.deleted ? 'deleted' : 'restored']),
    ...(before.status === after.status ? [] : [`${before.status} → ${after.status}`]),
    ...fields.map((field) => `${field}: ${valueText(before[field])} → ${valueText(after[field])}`),
    ...noteTexts(before, after),
  ]
}

function noteTexts(before: Task, after: Task): string[] {
  const [old, fresh] = [before, after].map(({ notes }) => notes.filter(isThere))
  const hasNot = (notes: readonly Note[] = []) => {
    const ids = new Set(notes.map(({ id }) => id))
    return ({ id }: Note) => !ids.has(id)
  }
  return [
    ...(old ?? []).filter(hasNot(fresh)).map(({ text }) => `note removed: ${briefText(text)}`),
    ...(fresh ?? []).filter(hasNot(old)).map(({ text }) => `note restored: ${briefText(text)}`),
  ]
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return 'none'
  if (Array.isArray(value)) return briefText(value.map(shortRef).join(', '))
  return briefText(shortRef(value))
}

/** References to tasks have 40 digits. */
function shortRef(value: unknown): string {
  return String(value).replace(/^task-([0-9a-f]{8})[0-9a-f]{32}$/, 'task-$1')
}
