import { type AuditRow, readHistory } from '../../ledger/read-history.ts'
import { readRef } from '../../platform/git/refs.ts'
import { linkAllLedgers } from '../links/follow-commits.ts'
import { ledgerRef, type Workspace } from '../workspace.ts'
import { findTask } from './ledger-view.ts'
import { readLedger } from './read-ledger.ts'

/** A change of the ledger, as faces show it. */
export interface HistoryEntry extends Omit<AuditRow, 'actor'> {
  by: string
}

/** The audit trail of the ledger, newest first; with a task, only the changes that name it. */
export function taskHistory(ws: Workspace, ref?: string, options: { limit?: number } = {}): HistoryEntry[] {
  linkAllLedgers(ws)
  const view = readLedger(ws)
  const task = ref === undefined ? null : findTask(view, ref)
  const tip = readRef(ws.repo, ledgerRef(ws.ledger))
  if (tip === null) return []
  return readHistory(ws.repo, tip, { ...options, ...(task && { uid: task.uid }) }).map(({ actor, ...row }) => ({
    ...row,
    by: actor,
  }))
}
