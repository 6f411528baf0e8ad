import type { TaskType } from '../core/task.ts'
import { type OpenEntry, readyEntries, taskOf } from '../state/sqlite/read-index.ts'
import { readLedger } from './fresh-ledger.ts'
import type { LedgerView } from './ledger-view.ts'
import { blockersOf, derivedStatus, viewTask } from './task-view.ts'
import type { TaskName, TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

/** What a list needs of an open task: rows are read without their tasks, so that 100,000 of them stay small. */
export interface OpenTask extends TaskName {
  type: TaskType
  blocked_by: TaskName[]
}

export interface OpenTasks<T> {
  ready: T[]
  blocked: T[]
}

/** The open tasks that can start now, most urgent first, and those that wait for others. */
export function openTasks(ws: Workspace): OpenTasks<OpenTask> {
  const view = readLedger(ws)
  const name = (row: OpenEntry): OpenTask => {
    const { number, id, title, type } = row
    return { number, id, title, type, status: derivedStatus(view, row), blocked_by: blockersOf(view, row) }
  }
  const { ready, blocked } = openRows(view)
  return { ready: ready.map(name), blocked: blocked.map(name) }
}

/** The same with everything there is to know of each task. */
export function readyTasks(ws: Workspace): OpenTasks<TaskView> {
  const view = readLedger(ws)
  const full = ({ uid }: OpenEntry) => {
    const task = taskOf(ws.state, view.row.lid, uid)
    return task ? [viewTask(view, task)] : []
  }
  const { ready, blocked } = openRows(view)
  return { ready: ready.flatMap(full), blocked: blocked.flatMap(full) }
}

function openRows(view: LedgerView): OpenTasks<OpenEntry> {
  const { state } = view.ws
  const ready = readyEntries(state, view.row.lid, 'e.unmet = 0').filter((row) => derivedStatus(view, row) === 'pending')
  return { ready, blocked: readyEntries(state, view.row.lid, 'e.unmet > 0') }
}
