import { type ReviewView, viewReview } from '../../../core/run/review-cycles.ts'
import { command } from '../../../core/sentence.ts'
import { isOnHold } from '../../../core/task/status-predicates.ts'
import { UserError } from '../../../core/user-error.ts'
import type { Entry } from '../../../state/index/index-tables.ts'
import { tasksOfRows } from '../../../state/index/read-tasks.ts'
import type { LedgerView } from '../../ledger/ledger-view.ts'
import { readLinkedLedger } from '../../links/read-linked-ledger.ts'
import type { Workspace } from '../../workspace.ts'
import { liveRows } from '../list-tasks.ts'
import { derivedStatus, readBlockers, runningOn } from '../task-status.ts'
import { viewRows } from '../task-view.ts'
import type { StatusTask, TaskView } from '../views.ts'

export interface GroupStatus<T extends Iterable<StatusTask> = StatusTask[]> {
  /** null: the tasks that belong to no group. */
  group: string | null
  tasks: T
}

/** The tasks of one group, or of every group, in the order of filing; those without a group last. */
export function groupStatus(ws: Workspace, group?: string): GroupStatus[] {
  const view = readLinkedLedger(ws)
  return rowsByGroup(view, group).map(([name, rows]) => ({ group: name, tasks: statusTasks(view, rows) }))
}

/** The same with everything there is to know of each task, one after the other while the workspace is open. */
export function groupViews(ws: Workspace, group?: string): (GroupStatus<Iterable<TaskView>> & { count: number })[] {
  const view = readLinkedLedger(ws)
  const groups = rowsByGroup(view, group)
  // Read together, because most groups are small: the printer takes one group after the other. A loop, because
  // flatMap took a fifth of the whole command for groups with many tasks.
  const all: Entry[] = []
  for (const [, rows] of groups) for (const row of rows) all.push(row)
  const views = Iterator.from(viewRows(view, all))
  return groups.map(([name, rows]) => ({ group: name, count: rows.length, tasks: nextOf(views, rows.length) }))
}

function* nextOf<T>(all: Iterator<T>, count: number): Iterable<T> {
  for (let left = count; left > 0; left--) {
    const { value, done } = all.next()
    if (done) return
    yield value
  }
}

function rowsByGroup(view: LedgerView, group: string | undefined): [string | null, Entry[]][] {
  const groups = [...Map.groupBy(liveRows(view), ({ grp }) => grp)]
  groups.sort(([a], [b]) => Number(a === null) - Number(b === null))
  if (group === undefined) return groups
  const found = groups.find(([name]) => name === group)
  if (found !== undefined) return [found]
  throw noSuchGroup(
    group,
    groups.map(([name]) => name),
  )
}

function statusTasks(view: LedgerView, rows: readonly Entry[]): StatusTask[] {
  const blockersOf = readBlockers(view, rows)
  const reviewOf = readReviews(view, rows)
  return rows.map((row) => {
    const { number, id, key, title, type, closed_at } = row
    const running_on = runningOn(view, row)
    const status = derivedStatus(view, row)
    const { cycle: review_cycle, of: max_review_cycles, verdict: final_verdict } = reviewOf(row)
    const review = { review_cycle, max_review_cycles, final_verdict }
    const about = { number, id, key, title, type, status, blocked_by: blockersOf(row), running_on }
    return { ...about, on_hold: isOnHold(row), asks: row.asks === 1, closed_at, ...review }
  })
}

const NO_REVIEW: ReviewView = { cycle: 0, of: null, verdict: null }

/** Only a task with runs can have been reviewed: all others need not be read. */
function readReviews(view: LedgerView, rows: readonly Entry[]): (row: Entry) => ReviewView {
  const tried = rows.filter(({ has_runs }) => has_runs === 1)
  const tasks = new Map(tasksOfRows(view.ws.state, tried).map((task) => [task.uid, task]))
  return (row) => {
    const task = tasks.get(row.uid)
    return task === undefined ? NO_REVIEW : viewReview(task, derivedStatus(view, row) === 'in_progress')
  }
}

export function noSuchGroup(group: string, names: readonly (string | null)[]): UserError {
  const known = names.filter((name) => name !== null)
  const hint = known.length === 0 ? command`add "…" --group ${group}` : `Groups: ${known.join(', ')}`
  return new UserError('GROUP_NOT_FOUND', `No group '${group}'`, { hint })
}
