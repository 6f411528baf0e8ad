import type { LedgerRow } from '../../state/index/index-tables.ts'
import type { Workspace } from '../workspace.ts'
import type { LedgerView } from './ledger-view.ts'

/** Many readers need one task of it only: who has a lease and what is stuck is read when it is first asked for. */
export function viewLedger(ws: Workspace, row: LedgerRow): LedgerView {
  let leased: ReadonlySet<string> | undefined
  let stuck: ReadonlySet<string> | undefined
  return {
    ws,
    row,
    get leased() {
      leased ??= leasedUids(ws)
      return leased
    },
    get stuck() {
      stuck ??= row.has_parts === 0 ? new Set() : stuckUids(ws, row.lid)
      return stuck
    },
  }
}

function leasedUids(ws: Workspace): Set<string> {
  if (ws.live === null) return new Set()
  const { leasesByLife }: typeof import('../../state/live/leases.ts') = require('../../state/live/leases.ts')
  return new Set(leasesByLife(ws.live, ws.now()).held.map((lease) => lease.uid))
}

/** Loaded only for ledgers in which a task is part of another. */
function stuckUids({ state }: Workspace, lid: number): Set<string> {
  const {
    parentsOfFailed,
  }: typeof import('../../state/index/family-entries.ts') = require('../../state/index/family-entries.ts')
  return parentsOfFailed(state, lid)
}
