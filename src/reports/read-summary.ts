import { type Summary, summarise } from '../core/task/summarise.ts'
import { readLinkedLedger } from '../workspace/links/read-linked-ledger.ts'
import { milestoneNames } from '../workspace/views/list-milestones.ts'
import { liveRows } from '../workspace/views/list-tasks.ts'
import { derivedStatus } from '../workspace/views/task-status.ts'
import type { Workspace } from '../workspace/workspace.ts'

export function readSummary(ws: Workspace): Summary {
  const view = readLinkedLedger(ws)
  const rows = liveRows(view, { archived: true })
  const ids = new Map(rows.map(({ uid, id }) => [uid, id]))
  const tasks = rows.map((row) => ({
    id: row.id,
    key: row.key,
    parent: row.parent === null ? null : (ids.get(row.parent) ?? null),
    milestone_id: row.milestone_id,
    status: derivedStatus(view, row),
  }))
  return summarise(tasks, milestoneNames(view))
}
