import { canonical } from '../core/ledger/canonical.ts'
import { command, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { type Authorship, deleteTask, editTask, reopenTask, retractNote } from '../core/task/operations.ts'
import type { Edit, EditableField, Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { type AuditRow, readChanges, readHistory } from '../ledger/read-history.ts'
import type { StepLines } from '../ledger/verify/step-lines.ts'
import { readRef, readReflog } from '../platform/git/refs.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import { ledgerRef, type Workspace } from '../workspace/workspace.ts'

export interface Undone {
  undone: string
  commit: string
  tasks: TaskView[]
}

/** Reverts the last change by a step forward: what it made is deleted, what it changed is set back. */
export function undoChange(ws: Workspace): Undone {
  assertAllowed('undo', ws.actor)
  const { target, tasks } = changeLedger(ws, ({ row }) => {
    const target = lastChange(ws)
    const [step] = readChanges(ws.repo, [target]) as [StepLines]
    const authorship = { at: ws.now(), by: ws.actor.name }
    const tasks = [...step.after.values()].flatMap((after) => {
      const now = taskOf(ws.state, row.lid, after.uid)
      return now ? [revertTask(now, step.before.get(after.uid) ?? null, after, authorship)] : []
    })
    return { tasks, subject: `undo ${target.subject}`, undoes: target.commit, result: { target, tasks } }
  })
  return { undone: target.subject, commit: target.commit, tasks: viewChanged(ws, tasks) }
}

/**
 * The last change that somebody made here on purpose: not a change that a sync brought from elsewhere, not a link or
 * join, and neither an undo nor a change that was undone.
 */
function lastChange(ws: Workspace): AuditRow {
  const tip = readRef(ws.repo, ledgerRef(ws.ledger))
  const rows = tip === null ? [] : readHistory(ws.repo, tip)
  const undone = new Set(rows.map((row) => row.undoes))
  const found = madeHere(ws, rows).find((row) => !undone.has(row.commit) && isMeant(row))
  if (found) return found
  throw new UserError('NOTHING_TO_UNDO', `Nothing to undo on ${ws.ledger}`, {
    hint: sentence`${command`log`} shows every change.`,
  })
}

/** Newest first, like the reflog; without a reflog, all of the history may have been made here. */
function madeHere(ws: Workspace, rows: readonly AuditRow[]): readonly AuditRow[] {
  const moves = readReflog(ws.repo, ledgerRef(ws.ledger))
  if (moves.length === 0) return rows
  const byCommit = new Map(rows.map((row) => [row.commit, row]))
  const made = moves.filter(({ message }) => !message.startsWith('gza: follow '))
  return made.flatMap(({ commit }) => byCommit.get(commit) ?? [])
}

function isMeant({ undoes, parents, subject }: AuditRow): boolean {
  return undoes === null && parents.length < 2 && !/^(?:link|carry over) /.test(subject)
}

function revertTask(now: Task, before: Task | null, after: Task, authorship: Authorship): Task {
  if (before === null) return deleteTask(now, authorship)
  const old = new Set(before.notes.map((note) => note.id))
  const unnoted = after.notes
    .filter((note) => !old.has(note.id))
    .reduce((task, note) => retractNote(task, note.id), now)
  return revertClosing(editTask(unnoted, oldValues(now, before, after), authorship), before, after)
}

/** The earlier values of the fields that the change set; a field that was set again since is left unchanged. */
function oldValues(now: Task, before: Task, after: Task): Partial<Record<EditableField, unknown>> {
  const known = new Set(before.edits.map(canonical))
  const fresh = after.edits.filter(
    (edit: Edit) => !known.has(canonical(edit)) && canonical(now[edit.field]) === canonical(after[edit.field]),
  )
  return Object.fromEntries(fresh.map(({ field }) => [field, before[field] ?? (field === 'deleted' ? false : null)]))
}

/** A closing is reverted by opening the task again, a reopening by closing it as before. */
function revertClosing(now: Task, before: Task, after: Task): Task {
  if (before.status === after.status && before.generation === after.generation) return now
  if (now.status !== after.status) return now
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
