/** Was a change of the ledger a legal step? Verify asks this of history, the guard asks it of the present. */
import { hasItsOwnUid } from './identity.ts'
import { joinTask } from './join.ts'
import type { Edit, Mode, Task } from './task.ts'
import { taskLine } from './task-line.ts'

/** Why `after` is not a legal successor of `before` (null: the task is new), or null when it is. */
export function whyNotForward(before: Task | null, after: Task, mode: Mode): string | null {
  if (!hasItsOwnUid(after)) return `${after.id}: content does not match its id`
  if (before === null) return mode === 'agent' ? whyNotAgentBirth(after) : null
  if (taskLine(before) === taskLine(after)) return null
  if (taskLine(joinTask(before, after)) !== taskLine(after)) return `${after.id}: ${lostFact(before, after)}`
  return mode === 'agent' ? whyNotAgentStep(before, after) : null
}

/** Fields that gza itself keeps up to date, whoever started it. */
const FREE_FIELDS = new Set(['branch', 'assigned_agent', 'linear_issue_id'])

function whyNotAgentBirth(task: Task): string | null {
  return task.edits.some(isProtected) ? `${task.id}: filed by an agent with edits` : null
}

function whyNotAgentStep(before: Task, after: Task): string | null {
  const known = new Set(before.edits.map((edit) => JSON.stringify(edit)))
  const edit = after.edits.find((candidate) => isProtected(candidate) && !known.has(JSON.stringify(candidate)))
  if (edit) return `${after.id}: ${edit.field === 'deleted' ? 'deleted' : `${edit.field} edited`} in agent mode`
  if (after.generation > before.generation) return `${after.id}: reopened in agent mode`
  const retracted = after.notes.filter((note) => note.retracted).length
  if (retracted > before.notes.filter((note) => note.retracted).length)
    return `${after.id}: a note retracted in agent mode`
  return null
}

function isProtected(edit: Edit): boolean {
  return !FREE_FIELDS.has(edit.field)
}

function lostFact(before: Task, after: Task): string {
  const notes = new Set(after.notes.map((note) => `${note.id} ${note.text}`))
  if (before.notes.some((note) => !notes.has(`${note.id} ${note.text}`))) return 'a note vanished or was changed'
  if (after.edits.length < before.edits.length) return 'an edit vanished'
  if (after.content !== before.content && after.edits.length === before.edits.length)
    return 'content changed without an edit'
  if (after.status !== before.status || after.generation < before.generation)
    return `status went back from ${before.status} to ${after.status}`
  return 'a fact vanished or was changed'
}
