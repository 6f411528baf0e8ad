import { hasTasksElsewhere } from '../../state/index/ledger-rows.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/**
 * Names open tasks on branches that are merged, renamed or gone. Most repositories have none, as the index shows: then
 * nothing else is loaded or read.
 */
export function noticeLeftTasks(ws: Workspace): void {
  if (ws.namedLedger === null || !hasTasksElsewhere(ws.state, ws.namedLedger)) return
  const { reportLeftTasks } = require('./report-left-tasks.ts') as typeof import('./report-left-tasks.ts')
  reportLeftTasks(ws)
}
