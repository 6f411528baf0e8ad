/** Was a change of the ledger a legal step? Verify asks this for the history, the guard for the present change. */

import type { Edit, Mode, Task } from '../task/task.ts'
import { hasItsOwnUid } from '../task/task-ids.ts'
import { canonical } from './canonical.ts'
import { EDITABLE_FIELDS } from './editable-fields.ts'
import { plainName } from './import-stream.ts'
import { joinTask } from './join-tasks.ts'
import { taskLine } from './task-line.ts'

/** Why `after` is not a legal successor of `before` (null: the task is new); null if it is legal. */
export function whyNotForward(before: Task | null, after: Task, mode: Mode, actor?: string): string | null {
  // Only the commit that broke it is at fault, not those that follow it.
  const wasItself = before === null || hasItsOwnUid(before)
  if (wasItself && !hasItsOwnUid(after)) return `${after.id}: content does not match its id`
  const author = mode === 'agent' && actor !== undefined ? otherAuthor(before, after, actor) : null
  if (author !== null) return `${after.id}: written by ${actor} in the name of ${author}`
  if (before === null) return whyNotCreation(after, mode)
  if (taskLine(before) === taskLine(after)) return null
  if (taskLine(joinTask(before, after)) !== taskLine(after)) return `${after.id}: ${lostFact(before, after)}`
  const forged = forgedFact(before, after)
  if (forged !== null) return `${after.id}: ${forged}`
  return mode === 'agent' ? whyNotAgentStep(before, after) : null
}

/** An agent writes in its own name: the author of a new task or note is the actor of the commit. */
function otherAuthor(before: Task | null, after: Task, actor: string): string | null {
  const known = new Set(before?.notes.map((note) => note.id))
  const authors = after.notes.filter((note) => !known.has(note.id)).map((note) => note.by)
  if (before === null) authors.push(after.created_by)
  return authors.find((author) => plainName(author) !== plainName(actor)) ?? null
}

/** Fields that gza itself maintains, for every actor. */
const FREE_FIELDS = new Set(['branch', 'assigned_agent', 'linear_issue_id'])

function whyNotCreation(task: Task, mode: Mode): string | null {
  // Joined with itself, a task gets its original content and the values of its edits.
  if (!isItsOwnJoin(task) && taskLine(joinTask(task, task)) !== taskLine(task))
    return `${task.id}: its fields do not match its edits`
  if (mode === 'human') return null
  if (task.landings.length > 0) return `${task.id}: landed in agent mode`
  return task.edits.some(isProtected) ? `${task.id}: filed by an agent with edits` : null
}

/** Without edits, and with lists that need no order, a join with itself changes nothing. Most new tasks are like that. */
function isItsOwnJoin({ edits, original, notes, runs, phases, landings, commits, renumbered }: Task): boolean {
  if (edits.length > 0 || original !== undefined) return false
  return [notes, runs, phases, landings, commits, renumbered].every(({ length }) => length < 2)
}

function whyNotAgentStep(before: Task, after: Task): string | null {
  const known = new Set(before.edits.map(canonical))
  const edit = after.edits.find((candidate) => isProtected(candidate) && !known.has(canonical(candidate)))
  if (edit) return `${after.id}: ${edit.field === 'deleted' ? 'deleted' : `${edit.field} edited`} in agent mode`
  if (after.generation > before.generation) return `${after.id}: reopened in agent mode`
  const retracted = after.notes.filter((note) => note.retracted).length
  if (retracted > before.notes.filter((note) => note.retracted).length)
    return `${after.id}: a note retracted in agent mode`
  if (after.landings.length > before.landings.length) return `${after.id}: landed in agent mode`
  if (hasChangedRun(before, after)) return `${after.id}: a run that had ended was changed in agent mode`
  return hasChangedClosing(before, after) ? `${after.id}: its closing was changed in agent mode` : null
}

// Two clones may have ended one run, or closed one task, each differently: a person's import may replace one with the
// other.
function hasChangedRun(before: Task, after: Task): boolean {
  const runs = new Map(after.runs.map((run) => [run.run, run]))
  return before.runs.some((run) => run.ended_at !== undefined && !isSame(runs.get(run.run), run))
}

function hasChangedClosing(before: Task, after: Task): boolean {
  const isClosedAnew = before.status !== after.status || before.link !== after.link
  return !isClosedAnew && !isSame(closingOf(before), closingOf(after))
}

/** Rules for fields that this release does not know are for the release that knows them. */
function isProtected({ field }: Edit): boolean {
  return EDITABLE_FIELDS.includes(field) && !FREE_FIELDS.has(field)
}

function lostFact(before: Task, after: Task): string {
  const notes = new Set(after.notes.map((note) => `${note.id} ${note.text}`))
  if (before.notes.some((note) => !notes.has(`${note.id} ${note.text}`))) return 'a note vanished or was changed'
  if (after.edits.length < before.edits.length) return 'an edit vanished'
  if (after.content !== before.content && after.edits.length === before.edits.length)
    return 'content changed without an edit'
  if (after.status !== before.status || after.generation < before.generation)
    return `status went back from ${before.status} to ${after.status}`
  return forgedFact(before, after) ?? 'a fact vanished or was changed'
}

/** Facts that may be added but never changed: a join alone would accept the greater of two values as the newer one. */
function forgedFact(before: Task, after: Task): string | null {
  const edited = new Set(after.edits.map(({ field }) => field))
  const field = EDITABLE_FIELDS.find((name) => !edited.has(name) && !isSame(before[name], after[name]))
  if (field !== undefined) return `${field} changed without an edit`
  if (before.number !== after.number) return 'its number changed'
  if (before.created_head !== after.created_head) return 'the commit it was filed at changed'
  const notes = new Map(after.notes.map((note) => [note.id, note]))
  if (before.notes.some((note) => !isSame({ ...notes.get(note.id), retracted: 0 }, { ...note, retracted: 0 })))
    return 'a note vanished or was changed'
  return null
}

function closingOf({ closed_at, closed_by, closed_commit, closed_head, closed_branch }: Task) {
  return { closed_at, closed_by, closed_commit, closed_head, closed_branch }
}

/** An empty list is never written, so that it is read as absent. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  const written = (value: unknown) => canonical(Array.isArray(value) && value.length === 0 ? null : value)
  return written(a) === written(b)
}
