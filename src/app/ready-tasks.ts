import { type Entry, entriesWhere, taskOf } from '../state/sqlite/read-index.ts'
import { readLedger } from './fresh-ledger.ts'
import type { LedgerView } from './ledger-view.ts'
import { derivedStatus, viewTask } from './task-view.ts'
import type { TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

const ORDER = 'ORDER BY e.priority, e.milestone, e.number'

/** The open tasks that can start now, most urgent first, and those that wait for others. */
export function readyTasks(ws: Workspace): { ready: TaskView[]; blocked: TaskView[] } {
  const view = readLedger(ws)
  const open = (where: string) =>
    entriesWhere(ws.state, view.row.lid, `e.status = 'pending' AND e.deleted = 0 AND ${where} ${ORDER}`)
  return {
    ready: full(
      view,
      open('e.unmet = 0').filter((row) => derivedStatus(view, row) === 'pending'),
    ),
    blocked: full(view, open('e.unmet > 0')),
  }
}

function full(view: LedgerView, rows: readonly Entry[]): TaskView[] {
  return rows.flatMap(({ uid }) => {
    const task = taskOf(view.ws.state, view.row.lid, uid)
    return task ? [viewTask(view, task)] : []
  })
}
