import { UserError } from '../../core/user-error.ts'
import { partsLeftBehind } from '../../state/index/ledger-rows.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { moveTasks } from './move-tasks.ts'

/**
 * A part that another clone filed under a task that had moved meanwhile moves after it: a part without its whole would be
 * open for ever on one side, and missing on the other. One that somebody works on follows at a later sync.
 */
export function movePartsAfterWholes(ws: Workspace): boolean {
  const left = partsLeftBehind(ws.state)
  for (const [way, parts] of Map.groupBy(left, ({ from, to }) => JSON.stringify([from, to]))) {
    const [from, to] = JSON.parse(way) as [string, string]
    const uids = parts.map(({ uid }) => uid)
    try {
      moveTasks(ws, { from, to, chosen: { uids }, follows: 'whole' })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      ws.warnings.push(`The parts of tasks that moved from ${from} to ${to} have not followed: ${error.message}`)
    }
  }
  return left.length > 0
}
