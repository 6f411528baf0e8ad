import { assertAllowed } from '../core/agent-mode.ts'
import { deleteTask as remove } from '../core/operations.ts'
import { changeLedger } from './change-ledger.ts'
import { finishing } from './finish-parents.ts'
import { findTasks } from './ledger-view.ts'
import { viewChanged } from './view-changed.ts'
import type { TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

/** Leaves a tombstone: the task is gone from every list, its history stays, and `undo` brings it back. */
export function deleteTask(ws: Workspace, refs: readonly string[]): TaskView[] {
  assertAllowed('delete', ws.actor)
  const deleted = changeLedger(ws, (view) => {
    const tasks = findTasks(view, refs).map((task) => remove(task, { at: ws.now(), by: ws.actor.name }))
    return { ...finishing(view, { tasks, subject: `delete ${tasks.map((task) => task.id).join(' ')}` }), result: tasks }
  })
  return viewChanged(ws, deleted)
}
