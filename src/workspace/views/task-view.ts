import { phasesInTime, viewReview } from '../../core/run/review-cycles.ts'
import { compareText } from '../../core/task/canonical.ts'
import { lostEdits } from '../../core/task/join.ts'
import { isOpen } from '../../core/task/status.ts'
import { type DerivedStatus, type Task, type TaskRef, titleOf, uidOf } from '../../core/task/task.ts'
import { entriesNeededBy } from '../../state/index/dependency-rows.ts'
import { childrenOf, failedChildrenOf } from '../../state/index/family-entries.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import type { Entry } from '../../state/index/tables.ts'
import { entry, type LedgerView } from '../ledger/ledger-view.ts'
import type { TaskName, TaskView } from './views.ts'

/** The task as faces and `--json` show it. */
export function viewTask(view: LedgerView, task: Task): TaskView {
  const row = entry(view, task.uid) ?? unfiledEntry(task)
  const status = derivedStatus(view, row)
  const review = viewReview(task, status === 'in_progress')
  return {
    id: row.id,
    content: task.content,
    status,
    created_at: task.created_at,
    created_by: task.created_by,
    after: oneOrMany(shortIds(view, task.after)),
    closed_at: task.closed_at,
    closed_commit: task.closed_commit,
    notes: noteTexts(task),
    number: row.number,
    uid: task.uid,
    title: titleOf(task),
    type: task.type,
    priority: task.priority,
    group: task.group ?? null,
    key: task.key ?? null,
    depends_on: shortIds(view, task.depends_on),
    based_on: shortIds(view, task.based_on),
    parent: task.parent ? (shortIds(view, [task.parent])[0] ?? null) : null,
    children: childrenOf(view.ws.state, view.row.lid, task.uid).map((child) => child.id),
    blocked_by: blockersOf(view, row),
    running_on: isRunningElsewhere(view, row) ? row.running_on : null,
    branch: task.branch ?? null,
    plan_file: task.plan_file ?? null,
    project: task.project ?? null,
    assigned_agent: task.assigned_agent ?? null,
    milestone_id: task.milestone_id ?? null,
    linear_issue_id: task.linear_issue_id ?? null,
    user_story: task.user_story ?? null,
    estimated_complexity: task.estimated_complexity ?? null,
    acceptance_criteria: task.acceptance_criteria ?? [],
    files_to_create: task.files_to_create ?? [],
    files_to_modify: task.files_to_modify ?? [],
    test_files: task.test_files ?? [],
    create_review: task.create_review ?? false,
    same_branch: task.same_branch ?? false,
    auto_review: task.auto_review ?? false,
    max_review_cycles: review.of,
    review_cycle: review.cycle,
    final_verdict: review.verdict,
    max_attempts: task.max_attempts ?? null,
    attempts: task.runs.length,
    commits: task.commits,
    artifacts: artifactsOf(view.ws.state, view.row.lid, `artifacts/${task.uid}/`).map(({ path }) => path),
    runs: task.runs,
    phases: phasesInTime(task.phases),
    landings: task.landings.toSorted((a, b) => compareText(a.at, b.at) || (a.n ?? 0) - (b.n ?? 0)),
    assignments: task.edits
      .filter(({ field }) => field === 'assigned_agent')
      .map(({ at, by, value }) => ({ at, by, agent: value as string | null })),
    archived: 'archived' in row ? row.archived === 1 : false,
    on_hold: task.on_hold ?? false,
    ledger: view.ws.ledger,
  }
}

/** Replaces the index entry if a task is not in the ledger yet, as in a dry run. */
function unfiledEntry(task: Task): Pick<Entry, 'uid' | 'id' | 'number' | 'status' | 'unmet' | 'running_on'> {
  return { uid: task.uid, id: task.id, number: task.number, status: task.status, unmet: 0, running_on: null }
}

type StatusRow = Pick<Entry, 'uid' | 'status' | 'unmet' | 'running_on'>

/**
 * The stored status, refined by what is happening now: a live lease or a run elsewhere, otherwise its unfinished
 * dependencies.
 */
export function derivedStatus(view: LedgerView, row: StatusRow): DerivedStatus {
  if (row.status !== 'pending') return row.status
  if (view.leased.has(row.uid) || isRunningElsewhere(view, row)) return 'in_progress'
  return row.unmet > 0 || view.stuck.has(row.uid) ? 'blocked' : 'pending'
}

// A run of this machine without a lease has died; one of another machine may be alive.
function isRunningElsewhere(view: LedgerView, row: Pick<Entry, 'uid' | 'status' | 'running_on'>): boolean {
  return row.status === 'pending' && row.running_on !== null && row.running_on !== view.ws.machine
}

/** The unfinished tasks that an open task waits for, and its failed children. */
export function blockersOf(view: LedgerView, row: Pick<Entry, 'uid' | 'status' | 'unmet'>): TaskName[] {
  if (row.status !== 'pending') return []
  return [...unmetOf(view, row), ...failedChildren(view, row.uid).map((child) => nameOf(view, child))]
}

function unmetOf(view: LedgerView, row: Pick<Entry, 'uid' | 'unmet'>): TaskName[] {
  if (row.unmet === 0) return []
  return entriesNeededBy(view.ws.state, view.row.lid, row.uid)
    .filter((needed) => needed.uid === null || isOpen(needed))
    .map((needed) => (needed.uid === null ? unknownTask(needed.needed) : nameOf(view, needed)))
}

export function failedChildren({ ws, row, stuck }: LedgerView, uid: string): Entry[] {
  if (!stuck.has(uid)) return []
  return failedChildrenOf(ws.state, row.lid, uid)
}

export function nameOf(view: LedgerView, row: StatusRow & Pick<Entry, 'id' | 'number' | 'title'>): TaskName {
  return { number: row.number, id: row.id, title: row.title, status: derivedStatus(view, row) }
}

/** Also for a task that is not in this ledger. */
export function nameBy(view: LedgerView, uid: string): TaskName {
  const row = entry(view, uid)
  return row === undefined ? unknownTask(uid) : nameOf(view, row)
}

/** A dependency that is not in this ledger: it was filed elsewhere and not synced yet. */
export function unknownTask(uid: string): TaskName {
  return { number: 0, id: `task-${uid.slice(0, 12)}`, title: '(not in this ledger)', status: 'pending' }
}

export function shortIds(view: LedgerView, refs: readonly TaskRef[]): string[] {
  return refs.map((ref) => entry(view, uidOf(ref))?.id ?? ref.slice(0, 17))
}

function oneOrMany(ids: string[]): string | string[] | null {
  return ids.length > 1 ? ids : (ids[0] ?? null)
}

function noteTexts(task: Task): string[] {
  const notes = task.notes.filter((note) => !note.retracted).map((note) => note.text)
  const lost = lostEdits(task).map(
    (edit) => `${edit.field} edited by ${edit.by} at the same time, not used: ${valueText(edit.value)}`,
  )
  return [...notes, ...lost]
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
