import { isOnHold, openStatuses } from '../../core/task/status-predicates.ts'
import { DERIVED_STATUSES, type DerivedStatus, TASK_TYPES } from '../../core/task/task.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { listedEntries, openEntriesAsFiled } from '../../state/index/list-entries.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedgers } from '../ledger/read-ledger.ts'
import { readLinkedLedger } from '../links/read-linked-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { oneOf } from './field-input.ts'
import { derivedStatus, readBlockers, runningOn } from './task-status.ts'
import { viewRows } from './task-view.ts'
import type { ListedTask, TaskName, TaskView } from './views.ts'

export interface ListOptions {
  status?: string
  all?: boolean
  allBranches?: boolean
  group?: string
  type?: string
  limit?: number
}

/** Open tasks in the order of their numbers; with `all` or a status also finished ones. */
export function listTasks(ws: Workspace, options: ListOptions = {}): ListedTask[] {
  return matchingRows(ws, options).flatMap(({ view, rows }) => {
    const blockersOf = readBlockers(view, rows)
    return rows.map((row) => listedTask(view, row, blockersOf(row)))
  })
}

/** What a row of a page shows. */
export type PagedTask = ListedTask & Pick<TaskView, 'type' | 'assigned_agent'>

/** Some of these tasks: those after a number, and how many there are in all. */
export function pageOfTasks(
  ws: Workspace,
  options: Omit<ListOptions, 'allBranches' | 'limit'>,
  { after, limit }: { after: number; limit: number },
): { tasks: PagedTask[]; total: number; isMore: boolean } {
  const [{ view, rows }] = matchingRows(ws, options) as [{ view: LedgerView; rows: Entry[] }]
  const left = rows.filter(({ number }) => number > after)
  const shown = left.slice(0, limit)
  const blockersOf = readBlockers(view, shown)
  const tasks = shown.map((row) => {
    const { type, assigned_agent } = row
    return { ...listedTask(view, row, blockersOf(row)), type, assigned_agent }
  })
  return { tasks, total: rows.length, isMore: left.length > limit }
}

/** The same with everything there is to know of each task, one after the other while the workspace is open. */
export function* listTaskViews(ws: Workspace, options: ListOptions = {}): Iterable<TaskView> {
  for (const { view, rows } of matchingRows(ws, options)) yield* viewRows(view, rows)
}

function matchingRows(ws: Workspace, options: ListOptions): { view: LedgerView; rows: Entry[] }[] {
  const wanted = wantedStatuses(options)
  const type = options.type === undefined ? undefined : oneOf('type', options.type, TASK_TYPES)
  const views = options.allBranches ? readLedgers(ws) : [readLinkedLedger(ws)]
  const matches = (view: LedgerView, row: Entry) =>
    wanted.has(derivedStatus(view, row)) &&
    (type === undefined || row.type === type) &&
    (options.group === undefined || (row.grp ?? '') === options.group)
  let left = options.limit ?? Number.POSITIVE_INFINITY
  return views.map((view) => {
    const rows = byNumber(rowsWith(view, wanted, options)).filter((row) => left > 0 && matches(view, row) && left-- > 0)
    return { view, rows }
  })
}

/**
 * The order of filing, until a join brings tasks with other numbers: then the numbers are what people can follow. Rows
 * that are in this order already are sorted in one pass.
 */
function byNumber(rows: Entry[]): Entry[] {
  return rows.sort((a, b) => a.number - b.number)
}

/** A ledger in use has far more finished tasks than open ones. */
function rowsWith(view: LedgerView, wanted: ReadonlySet<DerivedStatus>, { all }: ListOptions): Entry[] {
  const isOnlyOpen = wanted.isSubsetOf(new Set(openStatuses()))
  return isOnlyOpen ? openEntriesAsFiled(view.ws.state, view.row.lid) : liveRows(view, { archived: all ?? false })
}

function listedTask(view: LedgerView, row: Entry, blocked_by: TaskName[]): ListedTask {
  const { number, id, key, title } = row
  const about = { number, id, key, title, status: derivedStatus(view, row), blocked_by }
  return {
    ...about,
    running_on: runningOn(view, row),
    on_hold: isOnHold(row),
    asks: row.asks === 1,
    ledger: view.ws.ledger,
  }
}

/** Every task that is not a tombstone, in the order of filing; archived ones only on request. */
export function liveRows(view: LedgerView, options: { archived?: boolean } = {}): Entry[] {
  return listedEntries(view.ws.state, view.row.lid, { archived: options.archived ?? false })
}

const STATUSES = [
  'pending',
  'in_progress',
  'active',
  'completed',
  'done',
  'failed',
  'skipped',
  'blocked',
  'open',
] as const

function wantedStatuses({ status, all }: ListOptions): Set<DerivedStatus> {
  if (status === undefined) return new Set(all ? DERIVED_STATUSES : openStatuses())
  return new Set(status.split(',').flatMap((word) => meaning(oneOf('status', word.trim(), STATUSES))))
}

/** `done` and `active` are accepted as other names, and a blocked task is still pending. */
function meaning(word: (typeof STATUSES)[number]): DerivedStatus[] {
  if (word === 'done') return ['completed']
  if (word === 'active') return ['in_progress']
  if (word === 'pending') return ['pending', 'blocked']
  return word === 'open' ? openStatuses() : [word]
}
