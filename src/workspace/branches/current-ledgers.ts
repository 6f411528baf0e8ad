import { readRefsIn } from '../../platform/git/ref-files.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { ledgersAtTips } from '../../state/index/sync/all-ledgers.ts'
import { currentIfReadable } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'

/** A ledger as the index has it now. */
export type CurrentLedger = Pick<LedgerRow, 'lid' | 'ledger' | 'tip' | 'tasks'>

/**
 * All ledgers of the repository that can be read. Two reads find those whose index is current, which are mostly all of
 * them; only the others are read. `tips`: what localTips gives, if it has just been read.
 */
export function currentLedgers(ws: Workspace, tips: ReadonlyMap<string, string> = localTips(ws)): CurrentLedger[] {
  const known = new Map(ledgersAtTips(ws.state).map((row) => [row.ledger, row]))
  return [...tips].flatMap(([ledger, tip]) => {
    const row = known.get(ledger)
    return row?.tip === tip ? [row] : (currentIfReadable(ws, ledger) ?? [])
  })
}

/** The commit of each ledger. */
export function localTips({ repo }: Workspace): Map<string, string> {
  const folder = 'refs/tasks/'
  return new Map([...readRefsIn(repo, [folder])].map(([ref, tip]) => [ref.slice(folder.length), tip]))
}
