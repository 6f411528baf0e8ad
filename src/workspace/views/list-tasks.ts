import type { GivenFilter } from '../../core/filter/given-filter.ts'
import { isOnHold } from '../../core/task/status-predicates.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { listedEntries, openEntriesAsFiled } from '../../state/index/list-entries.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedgers } from '../ledger/read-ledger.ts'
import { readLinkedLedger } from '../links/read-linked-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { derivedStatus, readBlockers, runningOn } from './task-status.ts'
import { viewRows } from './task-view.ts'
import type { ListedTask, TaskName, TaskView } from './views.ts'

export interface ListOptions {
  /** Its words are searched for only if it has some. */
  filter?: GivenFilter
  all?: boolean
  allBranches?: boolean
  limit?: number
  /** Called while the texts are brought up to date for a filter with words. */
  progress?: (done: number, total: number) => void
}

/** Open tasks in the order of their numbers; with `all`, or with a status in the filter, also finished ones. */
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
  const rowsOf = options.filter === undefined ? null : filterRows(options.filter, options)
  const views = options.allBranches ? readLedgers(ws) : [readLinkedLedger(ws)]
  let left = options.limit ?? Number.POSITIVE_INFINITY
  return views.map((view) => {
    const found = rowsOf?.(view) ?? (options.all ? liveRows(view, { archived: true }) : openRows(view))
    const rows = left < found.length ? byNumber(found).slice(0, left) : byNumber(found)
    left -= rows.length
    return { view, rows }
  })
}

/** Loaded only for lists with a filter. */
function filterRows(filter: GivenFilter, options: ListOptions): ((view: LedgerView) => Entry[]) | null {
  const { rowsFor }: typeof import('../search/filtered-rows.ts') = require('../search/filtered-rows.ts')
  return rowsFor(filter, options)
}

/**
 * The order of filing, until a join brings tasks with other numbers: then the numbers are what people can follow. Rows
 * that are in this order already are sorted in one pass.
 */
function byNumber(rows: Entry[]): Entry[] {
  return rows.sort((a, b) => a.number - b.number)
}

/** A ledger in use has far more finished tasks than open ones. */
function openRows(view: LedgerView): Entry[] {
  return openEntriesAsFiled(view.ws.state, view.row.lid)
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
