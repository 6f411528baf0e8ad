import { command } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { readLinkedLedger } from '../ledger/link-commits.ts'
import type { Workspace } from '../workspace.ts'
import { liveRows, viewRow } from './list-tasks.ts'
import type { TaskView } from './views.ts'

export interface GroupStatus {
  /** null: the tasks without a group. */
  group: string | null
  tasks: TaskView[]
}

/** The tasks of one group, or of every group, in the order of filing; those without a group last. */
export function groupStatus(ws: Workspace, group?: string): GroupStatus[] {
  const view = readLinkedLedger(ws)
  const rows = liveRows(view)
  const names = [...new Set(rows.map((row) => row.grp))].sort((a, b) => (a === null ? 1 : b === null ? -1 : 0))
  if (group !== undefined && !names.includes(group)) throw noSuchGroup(group, names)
  const wanted = group === undefined ? names : [group]
  return wanted.map((name) => ({
    group: name,
    tasks: rows.filter((row) => row.grp === name).map((row) => viewRow(view, row)),
  }))
}

export function noSuchGroup(group: string, names: readonly (string | null)[]): UserError {
  const known = names.filter((name) => name !== null)
  const hint = known.length === 0 ? command`add "…" --group ${group}` : `Groups: ${known.join(', ')}`
  return new UserError('GROUP_NOT_FOUND', `No group '${group}'`, { hint })
}
