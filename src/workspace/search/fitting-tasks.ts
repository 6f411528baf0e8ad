import { entriesNamedLike, type NamedEntry, type NamedState } from '../../state/index/filtered-entries.ts'
import { leasesByLife } from '../../state/live/leases.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { readyTest } from '../views/ready-tasks.ts'
import type { Workspace } from '../workspace.ts'

/** The tasks that a command can take. `running`: by a worker of gza here. `claimed`: by an agent that gza did not start. */
export type Fit = NamedState | 'running' | 'claimed'

/** The tasks that fit, and whose number, or whose id or key, begins like this: at most `limit`, the newest. */
export function fittingTasks(
  ws: Workspace,
  { fit, beginning, limit }: { fit: Fit; beginning: string; limit: number },
): NamedEntry[] {
  const view = readLedger(ws)
  const find = (state: NamedState, among: { uids?: readonly string[] } = {}) =>
    entriesNamedLike(ws.state, view.row.lid, { state, beginning, limit, ...among })
  if (fit === 'running' || fit === 'claimed') return find('listed', { uids: takenUids(view, fit) })
  const found = find(fit)
  return fit === 'ready' ? found.filter(readyTest(view)) : found
}

/** Also those of a dead holder: `kill` ends its run, and `release` gives its task back. */
function takenUids({ ws }: LedgerView, fit: 'running' | 'claimed'): string[] {
  if (ws.live === null) return []
  const { held, abandoned } = leasesByLife(ws.live, ws.now())
  const leases = [...held, ...abandoned].filter(({ expires_at }) => (expires_at === null) === (fit === 'running'))
  return leases.map(({ uid }) => uid)
}
