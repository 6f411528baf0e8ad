import { isOnHold } from '../../../core/task/status-predicates.ts'
import type { DerivedStatus } from '../../../core/task/task.ts'
import { readLedger } from '../../ledger/read-ledger.ts'
import type { Workspace } from '../../workspace.ts'
import { liveRows } from '../list-tasks.ts'
import { derivedStatus } from '../task-status.ts'

export interface GroupCount {
  group: string | null
  total: number
  counts: Record<Exclude<DerivedStatus, 'blocked'>, number>
  /** How many of its open tasks a person has stopped. */
  on_hold_count: number
}

const NONE = { pending: 0, in_progress: 0, completed: 0, failed: 0, skipped: 0 }

/** Each group with its tasks counted by status (a blocked task counts as pending), in the order of their first task. */
export function listGroups(ws: Workspace): GroupCount[] {
  const view = readLedger(ws)
  const groups = new Map<string | null, GroupCount>()
  for (const row of liveRows(view)) {
    const group = groups.get(row.grp) ?? { group: row.grp, total: 0, counts: { ...NONE }, on_hold_count: 0 }
    const derived = derivedStatus(view, row)
    const status = derived === 'blocked' ? 'pending' : derived
    group.total += 1
    group.on_hold_count += Number(isOnHold(row))
    group.counts[status] += 1
    groups.set(row.grp, group)
  }
  return [...groups.values()].sort((a, b) => Number(a.group === null) - Number(b.group === null))
}
