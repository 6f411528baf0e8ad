import { readHead } from '../../platform/git/refs.ts'
import { isHistoryRead } from '../../state/index/ledger-rows.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'

/** The ledger with links to all commits that the history now has: for commands that show commits. */
export function readLinkedLedger(ws: Workspace): LedgerView {
  const view = readLedger(ws)
  if (isHistoryKnown(view)) return view
  return linker().lookForCommits(view) ? readLedger(ws) : view
}

/** Loaded only if needed: looking for commits and writing links takes more code than a command that reads. */
function linker(): typeof import('../ledger/link-commits.ts') {
  return require('../ledger/link-commits.ts')
}

/** No task waits for a commit, and the branch is where it was when its history was last read. */
function isHistoryKnown({ ws, row }: LedgerView): boolean {
  if (row.lid < 0) return true
  const head = readHead(ws.repo)
  return isHistoryRead(ws.state, row.lid, head.kind === 'detached' ? null : head)
}
