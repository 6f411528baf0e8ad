import type { Task } from '../../core/task/task.ts'
import { isDamaged } from '../../state/index/open-state.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { renewState, type Workspace } from '../workspace.ts'
import { viewTask } from './task-view.ts'
import type { TaskView } from './views.ts'

/**
 * The tasks as a change has left them. An index that is found damaged only now is mended here: doing the command again,
 * as useWorkspace does for all others, would make the change twice.
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
  const view = readLedger(ws)
  return tasks.map((task) => viewTask(view, task))
}
