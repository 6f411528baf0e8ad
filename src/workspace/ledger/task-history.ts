import { type AuditRow, readHistory } from '../../ledger/read-history.ts'
import { readRef } from '../../platform/git/refs.ts'
import { ledgerRef, type Workspace } from '../workspace.ts'
import { findTask } from './ledger-view.ts'
import { readLinkedLedger } from './link-commits.ts'

/** The audit trail of the ledger, newest first; with a task, only the changes that name it. */
export function taskHistory(ws: Workspace, ref?: string, options: { limit?: number } = {}): AuditRow[] {
  const view = readLinkedLedger(ws)
  const task = ref === undefined ? null : findTask(view, ref)
  const tip = readRef(ws.repo, ledgerRef(ws.ledger))
  if (tip === null) return []
  return readHistory(ws.repo, tip, { ...options, ...(task && { uid: task.uid }) })
}
