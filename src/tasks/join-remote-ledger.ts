/** Takes in what a remote has of a ledger: what other clones have pushed. */
import { command, sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { isAncestor } from '../ledger/links.ts'
import { assertLedger } from '../ledger/read-files.ts'
import { type BadCommit, judgeHistory } from '../ledger/verify/first-bad-commit.ts'
import { readRef } from '../platform/git/refs.ts'
import { changeLedger, type Decision } from '../workspace/ledger/change-ledger.ts'
import { decideJoin } from '../workspace/ledger/join-ledger.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { swapLedgers } from '../workspace/ledger/swap-ledgers.ts'
import { acceptedCommits, markVerified } from '../workspace/legal/accepted-commits.ts'
import { badText, firstBadHere, waysOut } from '../workspace/legal/legal-ledger.ts'
import { alsoFor, ledgerRef, type Workspace } from '../workspace/workspace.ts'
import { withFinishedParents } from './checks/finish-parents.ts'
import { followLeftOut } from './leave-out-commit.ts'

/** `pushed`: only this clone has something new. `refused`: there is an illegal commit, here or on the remote. */
export type JoinResult = 'pushed' | 'pulled' | 'joined' | 'current' | 'refused'

/** How often a ledger that local writers move meanwhile is read again. */
const FOLLOW_TRIES = 100

interface RemoteLedger {
  ledger: string
  theirs: string
  remote: string
}

/** Afterwards the local ledger contains everything of the commit `theirs`, unless something there or here is illegal. */
export function joinRemoteLedger(ws: Workspace, { ledger, theirs, remote }: RemoteLedger): JoinResult {
  if (readRef(ws.repo, ledgerRef(ledger)) !== theirs) {
    assertLedger(ws.repo, theirs)
    followLeftOut(ws, ledger, theirs)
  }
  if (isIllegal(ws, { ledger, theirs, remote })) return 'refused'
  for (let tries = 0; tries < FOLLOW_TRIES; tries++) {
    const mine = readRef(ws.repo, ledgerRef(ledger))
    if (mine === theirs) return 'current'
    if (mine !== null && isAncestor(ws.repo, theirs, mine)) return 'pushed'
    if (mine !== null && !isAncestor(ws.repo, mine, theirs)) {
      changeLedger(alsoFor(ws, { ledger }), (view) => joinAndFinish(view, theirs, remote))
      return 'joined'
    }
    // Theirs contains all of ours: follow it. A writer may have moved ours meanwhile; then read again.
    if (!swapLedgers(ws, [{ ref: ledgerRef(ledger), to: theirs, from: mine }], `gza: follow ${remote}`)) continue
    markVerified(ws, ledger, theirs)
    return 'pulled'
  }
  throw new UserError('LEDGER_BUSY', `${ledgerRef(ledger)} was moved by others ${FOLLOW_TRIES} times in a row`, {
    hint: sentence`Nothing was changed. Run ${command`sync`} again.`,
  })
}

/** What others pushed is checked before it is taken in, and so is what plain git may have put over ours. */
export function isIllegal(
  ws: Workspace,
  { ledger, theirs, remote }: Omit<RemoteLedger, 'theirs'> & { theirs: string | null },
): boolean {
  const here = firstBadHere(ws, ledger)
  const bad = here ?? (theirs === null ? null : firstBadThere(ws, ledger, theirs))
  if (bad === null) return false
  const where = here === null ? `${remote} has an illegal commit in ${ledger}` : `${ledger} has an illegal commit`
  ws.warnings.push(sentence`${where}: ${badText(bad)}. It was not exchanged. ${waysOut(bad)}`)
  return true
}

function firstBadThere(ws: Workspace, ledger: string, theirs: string): BadCommit | null {
  const mine = readRef(ws.repo, ledgerRef(ledger))
  if (mine === theirs || (mine !== null && isAncestor(ws.repo, theirs, mine))) return null
  return judgeHistory(ws.repo, { from: mine, to: theirs, accepted: acceptedCommits(ws) }).firstBad
}

/** One clone may have finished one child, and another clone the other: only together they finish the parent. */
function joinAndFinish(view: LedgerView, theirs: string, remote: string): Decision<number> {
  const decision = decideJoin(view, theirs, `join ${remote}`)
  return { ...decision, ...withFinishedParents(view, decision) }
}
