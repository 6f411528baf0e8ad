import { findTask } from './ledger-view.ts'
import { readLinkedLedger } from './link-commits.ts'
import { viewTask } from './task-view.ts'
import type { TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

export function showTask(ws: Workspace, ref: string): TaskView {
  const view = readLinkedLedger(ws)
  return viewTask(view, findTask(view, ref))
}
