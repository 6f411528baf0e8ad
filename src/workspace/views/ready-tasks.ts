import { isPending } from '../../core/task/status-predicates.ts'
import type { TaskType } from '../../core/task/task.ts'
import { parentsOfPending } from '../../state/index/family-entries.ts'
import type { KnownEntry, OpenEntry } from '../../state/index/index-tables.ts'
import {
  type BlockedEntry,
  blockedEntries,
  countWaiting,
  heldEntries,
  readyEntries,
} from '../../state/index/ready-entries.ts'
import { entriesOf } from '../../state/index/relations.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { filterRows, isNone, joinRows, mapRows } from './rows.ts'
import { blockerName, derivedStatus, failedChildren, type StatusRow } from './task-status.ts'
import type { TaskName } from './views.ts'

/** The fields of an open task that a list needs: rows are read without their tasks. */
export interface OpenTask extends TaskName {
  key: string | null
  type: TaskType
  blocked_by: TaskName[]
  /** A person has put it on hold. */
  on_hold: boolean
  /** An agent has asked a person, and nobody has answered. */
  asks: boolean
}

/** Read on demand, one after the other and while the workspace is open: a ledger may have 100,000. */
export interface OpenTasks<T> {
  ready: Iterable<T>
  /** Also those that wait for a person. */
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

export interface NextTasks {
  /** The open tasks that can start now. */
  ready: Iterable<OpenTask>
  /** How many wait. */
  blockedCount: number
  /** How many wait only for a person. */
  heldCount: number
  /** Tasks are open, and none of them can start now. */
  isStuck: boolean
}

export function nextTasks(ws: Workspace): NextTasks {
  const view = readLedger(ws)
  const { blockedCount, heldCount } = waitingCounts(view)
  const ready = nameReady(view)
  // A list can be looked at again, rows that are read one after the other cannot.
  const isStuck = blockedCount + heldCount > 0 && isNone(Array.isArray(ready) ? ready : readyRows(view))
  return { ready, blockedCount, heldCount, isStuck }
}

export function isNothingReady(view: LedgerView): boolean {
  const { blockedCount, heldCount } = waitingCounts(view)
  return blockedCount + heldCount > 0 && isNone(readyRows(view))
}

function waitingCounts(view: LedgerView): Pick<NextTasks, 'blockedCount' | 'heldCount'> {
  const { blocked, held } = countWaiting(view.ws.state, view.row.lid)
  return { blockedCount: blocked + stuckRows(view).length, heldCount: held }
}

export function readyRows(view: LedgerView): Iterable<OpenEntry> {
  return filterRows(readyEntries(view.ws.state, view.row.lid), readyTest(view))
}

/** Which of the tasks that wait for nothing can start. A task with children cannot: they are worked on instead. */
export function readyTest(view: LedgerView): (row: StatusRow) => boolean {
  const parents = view.row.has_parts === 0 ? null : parentsOfPending(view.ws.state, view.row.lid)
  return (row) => derivedStatus(view, row) === 'pending' && !parents?.has(row.uid)
}

export function blockedRows(view: LedgerView): Iterable<BlockedEntry> {
  const { state } = view.ws
  const held = filterRows(heldEntries(state, view.row.lid), ({ uid }) => !view.stuck.has(uid))
  const others = mapRows(joinRows<OpenEntry>(stuckRows(view), held), (row) => ({ ...row, blockers: [] }))
  const all = joinRows<BlockedEntry>(blockedEntries(state, view.row.lid), others)
  return view.stuck.size === 0 ? all : mapRows(all, (row) => withFailedChildren(view, row))
}

function withFailedChildren(view: LedgerView, row: BlockedEntry): BlockedEntry {
  const failed = failedChildren(view, row.uid).map((known) => ({ uid: known.uid, known }))
  return { ...row, blockers: [...row.blockers, ...failed] }
}

/** Open tasks that wait for nothing but a failed child. */
function stuckRows(view: LedgerView): KnownEntry[] {
  if (view.stuck.size === 0) return []
  const rows = entriesOf(view.ws.state, view.row.lid, [...view.stuck])
  return [...rows.values()].filter((row) => isPending(row) && row.unmet === 0)
}

function nameReady(view: LedgerView): Iterable<OpenTask> {
  return mapRows(readyRows(view), ({ number, id, key, title, type }) => {
    return { number, id, key, title, type, status: 'pending', blocked_by: [], on_hold: false, asks: false }
  })
}

function nameBlocked(view: LedgerView): Iterable<OpenTask> {
  return mapRows(blockedRows(view), (row) => {
    const { number, id, key, title, type } = row
    const blocked_by: TaskName[] = []
    for (const blocker of row.blockers) blocked_by.push(blockerName(view, blocker))
    const waits = { on_hold: row.on_hold === 1, asks: row.asks === 1 }
    return { number, id, key, title, type, status: derivedStatus(view, row), blocked_by, ...waits }
  })
}
