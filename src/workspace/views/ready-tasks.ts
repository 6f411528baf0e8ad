import { isPending } from '../../core/task/status-predicates.ts'
import type { TaskType } from '../../core/task/task.ts'
import { parentsOfPending } from '../../state/index/family-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import {
  type BlockedEntry,
  blockedEntries,
  countBlocked,
  countHeld,
  heldEntries,
  type OpenEntry,
  readyEntries,
} from '../../state/index/ready-entries.ts'
import { entriesOf } from '../../state/index/relations.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { blockerName, derivedStatus, failedChildren } from './task-status.ts'
import { viewRows } from './task-view.ts'
import type { TaskName, TaskView } from './views.ts'

/** The fields of an open task that a list needs: rows are read without their tasks. */
export interface OpenTask extends TaskName {
  key: string | null
  type: TaskType
  blocked_by: TaskName[]
  /** A person has put it on hold. */
  on_hold: boolean
}

/** Read on demand, one after the other and while the workspace is open: a ledger may have 100,000. */
export interface OpenTasks<T> {
  ready: Iterable<T>
  /** Also those that are on hold. */
  blocked: Iterable<T>
}

/** The open tasks that can start now, most urgent first, and those that wait for others. */
export function openTasks(ws: Workspace): OpenTasks<OpenTask> {
  const view = readLedger(ws)
  return {
    ready: nameReady(view),
    blocked: nameBlocked(view),
  }
}

/** The same with all details of each task. */
export function readyTasks(ws: Workspace): OpenTasks<TaskView> {
  const view = readLedger(ws)
  return { ready: viewRows(view, readyRows(view)), blocked: viewRows(view, blockedRows(view)) }
}

export interface NextTasks {
  ready: Iterable<OpenTask>
  blockedCount: number
  /** Tasks that wait only for a person. */
  heldCount: number
}

/** The open tasks that can start now, and how many wait. */
export function nextTasks(ws: Workspace): NextTasks {
  const view = readLedger(ws)
  const { lid } = view.row
  const blockedCount = countBlocked(ws.state, lid) + stuckRows(view).length
  return { ready: nameReady(view), blockedCount, heldCount: countHeld(ws.state, lid) }
}

/** Tasks are open, and none of them can start now. */
export function isNothingReady(ws: Workspace): boolean {
  const view = readLedger(ws)
  for (const _ of readyRows(view)) return false
  const { lid } = view.row
  return countBlocked(ws.state, lid) + countHeld(ws.state, lid) + stuckRows(view).length > 0
}

/** Without tasks that have children: the children are worked on instead. */
function* readyRows(view: LedgerView): Iterable<OpenEntry> {
  const parents = parentsOfPending(view.ws.state, view.row.lid)
  for (const row of readyEntries(view.ws.state, view.row.lid))
    if (derivedStatus(view, row) === 'pending' && !parents.has(row.uid)) yield row
}

function* blockedRows(view: LedgerView): Iterable<BlockedEntry> {
  const withChildren = (row: OpenEntry, blockers: BlockedEntry['blockers'] = []): BlockedEntry => {
    const failed = failedChildren(view, row.uid).map((known) => ({ uid: known.uid, known }))
    return { ...row, blockers: [...blockers, ...failed] }
  }
  for (const row of blockedEntries(view.ws.state, view.row.lid)) yield withChildren(row, row.blockers)
  for (const row of stuckRows(view)) yield withChildren(row)
  for (const row of heldEntries(view.ws.state, view.row.lid)) if (!view.stuck.has(row.uid)) yield withChildren(row)
}

/** Open tasks that wait for nothing but a failed child. */
function stuckRows(view: LedgerView): Entry[] {
  const rows = entriesOf(view.ws.state, view.row.lid, [...view.stuck])
  return [...rows.values()].filter((row) => isPending(row) && row.unmet === 0)
}

function* nameReady(view: LedgerView): Iterable<OpenTask> {
  for (const { number, id, key, title, type } of readyRows(view))
    yield { number, id, key, title, type, status: 'pending', blocked_by: [], on_hold: false }
}

function* nameBlocked(view: LedgerView): Iterable<OpenTask> {
  for (const row of blockedRows(view)) {
    const { number, id, key, title, type } = row
    const blocked_by = row.blockers.map((blocker) => blockerName(view, blocker))
    yield { number, id, key, title, type, status: derivedStatus(view, row), blocked_by, on_hold: row.on_hold === 1 }
  }
}
