import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { blockedRows, isNothingReady, type OpenTasks, readyRows } from './ready-tasks.ts'
import { viewRows } from './task-view.ts'
import type { TaskView } from './views.ts'

/** The open tasks with all details of each: what --json prints. Apart, because lists for people need less code. */
export function readyTaskViews(ws: Workspace): OpenTasks<TaskView> & { isStuck: boolean } {
  const view = readLedger(ws)
  return {
    ready: viewRows(view, readyRows(view)),
    // Read only if it is printed.
    get blocked() {
      return viewRows(view, blockedRows(view))
    },
    isStuck: isNothingReady(view),
  }
}
