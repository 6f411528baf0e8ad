import { type Problem, verifyHistory } from '../../ledger/verify/verify-history.ts'
import {
  compareAbsentWithWitnesses,
  compareWithWitnesses,
  ledgersOnRecord,
  type RememberedTips,
  readRememberedTips,
  type Witness,
} from '../../ledger/verify/witnesses.ts'
import { listRefs, readRef } from '../../platform/git/refs.ts'
import { unreadableLines } from '../../state/index/ledger-files.ts'
import { findLedger, indexedLedgers } from '../../state/index/ledger-rows.ts'
import { isUnreadable, ledgerNames, readLedger, readOtherLedger } from '../../workspace/ledger/read-ledger.ts'
import { type LostLink, lostLinks } from '../../workspace/links/lost-links.ts'
import { ledgerRef, type Workspace } from '../../workspace/workspace.ts'

export interface VerifyReport {
  ledger: string
  ok: boolean
  commits: number
  tasks: number
  firstBad: Problem | null
  problems: Problem[]
  witnesses: Witness[]
  /** Links to commits that no branch has. They are named, and fail nothing: people may drop commits. */
  links: LostLink[]
}

/** Proves what can be proven: every step went forward, and no witness remembers anything that is missing. */
export function verifyLedger(ws: Workspace, options: { allBranches?: boolean } = {}): VerifyReport[] {
  if (options.allBranches) {
    const present = ledgerNames(ws)
    return [...present.map((ledger) => verifyReadable(ws, ledger, lastSeen(ws, ledger))), ...missedLedgers(ws)]
  }
  // Before anything is read: a read updates the index to the current state, and it forgets the earlier one.
  const seen = lastSeen(ws, ws.ledger)
  readLedger(ws)
  return [verifyOne(ws, ws.ledger, seen)]
}

/** Ledgers that witnesses remember and that are neither in their place nor in the archive: no list of refs has them. */
export function missedLedgers(ws: Workspace): VerifyReport[] {
  const present = new Set(ledgerNames(ws))
  const remembered = new Set([...indexedLedgers(ws.state), ...ledgersOnRecord(ws.repo)])
  return [...remembered]
    .filter((ledger) => !present.has(ledger))
    .map((ledger) => verifyAbsent(ws, { ...readRememberedTips(ws.repo, ledger), index: lastSeen(ws, ledger) }))
    .filter(({ ok }) => !ok)
}

function lastSeen(ws: Workspace, ledger: string): string | null {
  return findLedger(ws.state, ledger)?.tip || null
}

/** A ledger that cannot even be read is not healthy, but it does not hide the others. */
function verifyReadable(ws: Workspace, ledger: string, seen: string | null): VerifyReport {
  try {
    return verifyOne(ws, ledger, seen)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const problem = { commit: tipOf(ws, ledger), why: error.message }
    return { ledger, ok: false, commits: 0, tasks: 0, firstBad: problem, problems: [problem], witnesses: [], links: [] }
  }
}

function tipOf({ repo }: Workspace, ledger: string): string {
  return listRefs(repo, ledgerRef(ledger)).get(ledgerRef(ledger)) ?? repo.zeroOid
}

function verifyOne(ws: Workspace, ledger: string, seen: string | null): VerifyReport {
  const remembered = { ...readRememberedTips(ws.repo, ledger), index: seen }
  const tip = readRef(ws.repo, ledgerRef(ledger))
  if (tip === null) return verifyAbsent(ws, remembered)
  const { commits, problems } = verifyHistory(ws.repo, null, tip)
  const witnesses = compareWithWitnesses(ws.repo, remembered, tip)
  const view = readOtherLedger(ws, ledger)
  const { row } = view
  const damaged = unreadableLines(ws.state, row.lid).map(({ path, line, why }) => ({
    commit: tip,
    why: `${path} line ${line}: ${why}`,
  }))
  const all = problems.length > 0 ? problems : damaged
  const ok = all.length === 0 && witnesses.every((witness) => witness.state !== 'differs')
  const firstBad = all[0] ?? null
  return { ledger, ok, commits, tasks: row.tasks, firstBad, problems: all, witnesses, links: lostLinks(view) }
}

/** A ledger that never existed is fine; one that a witness remembers was deleted, unless it is in the archive. */
function verifyAbsent(ws: Workspace, remembered: RememberedTips): VerifyReport {
  const witnesses = compareAbsentWithWitnesses(ws.repo, remembered)
  const ok = witnesses.every((witness) => witness.state !== 'differs')
  return { ledger: remembered.ledger, ok, commits: 0, tasks: 0, firstBad: null, problems: [], witnesses, links: [] }
}
