import type { Task } from '../../core/task/task.ts'
import { isDamaged } from '../../state/index/open-state.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { renewState, type Workspace } from '../workspace.ts'
import { viewTasks } from './task-view.ts'
import type { TaskView } from './views.ts'

/**
 * The tasks as a change has left them. If the index is found damaged only now, it is repaired here: repeating the
 * command, as useWorkspace does in all other cases, would make the change twice.
 */
export function viewChanged(ws: Workspace, tasks: readonly Task[]): TaskView[] {
  try {
    return viewAll(ws, tasks)
  } catch (error) {
    if (!isDamaged(error)) throw error
    renewState(ws)
    return viewAll(ws, tasks)
  }
}

function viewAll(ws: Workspace, tasks: readonly Task[]): TaskView[] {
  return viewTasks(readLedger(ws), tasks)
}
