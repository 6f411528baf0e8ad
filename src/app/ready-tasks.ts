import type { TaskType } from '../core/task.ts'
import {
  type BlockedEntry,
  blockedEntries,
  countBlocked,
  type OpenEntry,
  readyEntries,
} from '../state/sqlite/open-entries.ts'
import { taskOf } from '../state/sqlite/read-index.ts'
import { readLedger } from './fresh-ledger.ts'
import type { LedgerView } from './ledger-view.ts'
import { derivedStatus, nameOf, unknownTask, viewTask } from './task-view.ts'
import type { TaskName, TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

/** What a list needs of an open task: rows are read without their tasks. */
export interface OpenTask extends TaskName {
  type: TaskType
  blocked_by: TaskName[]
}

/** Read as they are asked for, one after the other and while the workspace is open: a ledger may have 100,000. */
export interface OpenTasks<T> {
  ready: Iterable<T>
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

/** The same with everything there is to know of each task. */
export function readyTasks(ws: Workspace): OpenTasks<TaskView> {
  const view = readLedger(ws)
  return { ready: fullViews(view, readyRows(view)), blocked: fullViews(view, blockedEntries(ws.state, view.row.lid)) }
}

/** The open tasks that can start now, and how many wait. */
export function nextTasks(ws: Workspace): { ready: Iterable<OpenTask>; blockedCount: number } {
  const view = readLedger(ws)
  return { ready: nameReady(view), blockedCount: countBlocked(ws.state, view.row.lid) }
}

function* readyRows(view: LedgerView): Iterable<OpenEntry> {
  for (const row of readyEntries(view.ws.state, view.row.lid)) if (derivedStatus(view, row) === 'pending') yield row
}

function* nameReady(view: LedgerView): Iterable<OpenTask> {
  for (const { number, id, title, type } of readyRows(view))
    yield { number, id, title, type, status: 'pending', blocked_by: [] }
}

function* nameBlocked(view: LedgerView): Iterable<OpenTask> {
  for (const row of blockedEntries(view.ws.state, view.row.lid)) {
    const { number, id, title, type } = row
    yield { number, id, title, type, status: derivedStatus(view, row), blocked_by: blockerNames(view, row) }
  }
}

function blockerNames(view: LedgerView, { blockers }: BlockedEntry): TaskName[] {
  return blockers.map(({ uid, known }) => (known === null ? unknownTask(uid) : nameOf(view, known)))
}

function* fullViews(view: LedgerView, rows: Iterable<OpenEntry>): Iterable<TaskView> {
  for (const { uid } of rows) {
    const task = taskOf(view.ws.state, view.row.lid, uid)
    if (task !== null) yield viewTask(view, task)
  }
}
