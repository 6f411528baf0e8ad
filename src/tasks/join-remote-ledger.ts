/** Takes in what a remote has of a ledger: what other clones have pushed. */
import { command, sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { isAncestor } from '../ledger/links.ts'
import { assertLedger } from '../ledger/read-files.ts'
import { verifyHistory } from '../ledger/verify/verify-history.ts'
import { readRef, swapRefs } from '../platform/git/refs.ts'
import { changeLedger, type Decision } from '../workspace/ledger/change-ledger.ts'
import { decideJoin } from '../workspace/ledger/join-ledger.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { alsoFor, ledgerRef, type Workspace } from '../workspace/workspace.ts'
import { withFinishedParents } from './checks/finish-parents.ts'

/** `pushed`: only this clone has something new. */
export type JoinResult = 'pushed' | 'pulled' | 'joined' | 'current'

/** How often a ledger that local writers move meanwhile is read again. */
const FOLLOW_TRIES = 100

/** Afterwards the local ledger contains everything of the commit `theirs`. */
export function joinRemoteLedger(
  ws: Workspace,
  { ledger, theirs, remote }: { ledger: string; theirs: string; remote: string },
): JoinResult {
  for (let tries = 0; tries < FOLLOW_TRIES; tries++) {
    const mine = readRef(ws.repo, ledgerRef(ledger))
    if (mine === theirs) return 'current'
    if (mine !== null && isAncestor(ws.repo, theirs, mine)) return 'pushed'
    assertLedger(ws.repo, theirs)
    if (tries === 0) warnOfForgery(ws, ledger, mine, theirs, remote)
    if (mine !== null && !isAncestor(ws.repo, mine, theirs)) {
      changeLedger(alsoFor(ws, { ledger }), (view) => joinAndFinish(view, theirs, remote))
      return 'joined'
    }
    // Theirs contains all of ours: follow it. A writer may have moved ours meanwhile; then read again.
    if (swapRefs(ws.repo, [{ ref: ledgerRef(ledger), to: theirs, from: mine }], `gza: follow ${remote}`))
      return 'pulled'
  }
  throw new UserError('LEDGER_BUSY', `${ledgerRef(ledger)} was moved by others ${FOLLOW_TRIES} times in a row`, {
    hint: sentence`Nothing was changed. Run ${command`sync`} again.`,
  })
}

/**
 * What others pushed is checked before it is joined. A join keeps every local fact, so a problem is reported, not
 * refused.
 */
function warnOfForgery(ws: Workspace, ledger: string, mine: string | null, theirs: string, remote: string): void {
  const [problem] = verifyHistory(ws.repo, mine, theirs).problems
  if (problem === undefined) return
  const what = `${remote} contains an illegal change of ${ledger}: ${problem.commit.slice(0, 7)}, ${problem.why}`
  ws.warnings.push(sentence`${what}. ${command`verify`} shows more`)
}

/** One clone may have finished one child, and another clone the other: only together they finish the parent. */
function joinAndFinish(view: LedgerView, theirs: string, remote: string): Decision<number> {
  const decision = decideJoin(view, theirs, `join ${remote}`)
  return { ...decision, ...withFinishedParents(view, decision) }
}
