import { type Summary, summarise } from '../core/task/summarise.ts'
import type { Task } from '../core/task/task.ts'
import { completedWithoutCheck } from '../state/index/list-entries.ts'
import { tasksOfRows } from '../state/index/read-tasks.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLinkedLedger } from '../workspace/links/read-linked-ledger.ts'
import { milestoneNames } from '../workspace/views/groups/list-milestones.ts'
import { liveRows } from '../workspace/views/list-tasks.ts'
import { derivedStatus } from '../workspace/views/task-status.ts'
import type { Workspace } from '../workspace/workspace.ts'

export function readSummary(ws: Workspace): Summary {
  const view = readLinkedLedger(ws)
  const rows = liveRows(view, { archived: true })
  const ids = new Map(rows.map(({ uid, id }) => [uid, id]))
  const unverified = unverifiedTasks(view)
  const tasks = rows.map((row) => ({
    id: row.id,
    key: row.key,
    parent: row.parent === null ? null : (ids.get(row.parent) ?? null),
    milestone_id: row.milestone_id,
    status: derivedStatus(view, row),
    isUnverified: unverified.has(row.uid),
  }))
  return summarise(tasks, milestoneNames(view))
}

/** The uids of tasks whose last completed run was not checked. */
function unverifiedTasks({ ws, row }: LedgerView): Set<string> {
  const tasks = tasksOfRows(ws.state, completedWithoutCheck(ws.state, row.lid))
  const isUnverified = ({ runs }: Task) => runs.findLast(({ outcome }) => outcome === 'completed')?.unverified === true
  return new Set(tasks.filter(isUnverified).map(({ uid }) => uid))
}
