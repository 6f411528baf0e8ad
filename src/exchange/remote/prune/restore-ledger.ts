import { ARCHIVE, archivedName } from '../../../core/ledger/archived-name.ts'
import { compareText } from '../../../core/ledger/canonical.ts'
import { UserError } from '../../../core/user-error.ts'
import { listRefs, readRef } from '../../../platform/git/refs.ts'
import { changeLedger } from '../../../workspace/ledger/change-ledger.ts'
import { decideJoin } from '../../../workspace/ledger/join-ledger.ts'
import { swapLedgers } from '../../../workspace/ledger/swap-ledgers.ts'
import { alsoFor, ledgerRef, type Workspace } from '../../../workspace/workspace.ts'

/** Brings an archived ledger back. If its branch has a new ledger by now, the archived one is joined into it. */
export function restoreLedger(ws: Workspace, name: string): { ledger: string; joined: boolean } {
  const { ref, tip } = findArchived(ws, name)
  const ledger = archivedName(ref)
  const remove = { ref, to: null, from: tip }
  if (readRef(ws.repo, ledgerRef(ledger)) === null) {
    const restore = { ref: ledgerRef(ledger), to: tip, from: null }
    if (swapLedgers(ws, [restore, remove], `gza: restore ${ledger}`)) return { ledger, joined: false }
  }
  changeLedger(alsoFor(ws, { ledger }), (view) => ({
    ...decideJoin(view, tip, `join the archived ${ledger}`),
    moves: [remove],
  }))
  return { ledger, joined: true }
}

/** Of several with that name the last; the others can be named by their refs. */
function findArchived(ws: Workspace, name: string): { ref: string; tip: string } {
  const archive = listRefs(ws.repo, ARCHIVE)
  const found = [...archive]
    .filter(([ref]) => ref === name || archivedName(ref) === name)
    .sort(([a], [b]) => a.length - b.length || compareText(a, b))
    .at(-1)
  if (found) return { ref: found[0], tip: found[1] }
  const known = new Set([...archive.keys()].map(archivedName))
  const hint = known.size === 0 ? 'The archive is empty.' : `Archived: ${[...known].join(', ')}`
  throw new UserError('NOT_ARCHIVED', `No archived ledger '${name}'`, { hint })
}
