import { assertAllowed } from '../core/task/agent-mode.ts'
import { deleteTask as remove } from '../core/task/operations.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { findTasks } from '../workspace/ledger/ledger-view.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { withFinishedParents } from './checks/finish-parents.ts'

/** Leaves a tombstone: the task disappears from every list, its history stays, and `restore` brings it back. */
export function deleteTask(ws: Workspace, refs: readonly string[]): TaskView[] {
  assertAllowed('delete', ws.actor)
  const deleted = changeLedger(ws, (view) => {
    const tasks = findTasks(view, refs).map((task) => remove(task, { at: ws.now(), by: ws.actor.name }))
    return {
      ...withFinishedParents(view, { tasks, subject: `delete ${tasks.map((task) => task.id).join(' ')}` }),
      result: tasks,
    }
  })
  return viewChanged(ws, deleted)
}
