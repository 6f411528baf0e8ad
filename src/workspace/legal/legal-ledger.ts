/** Is the history of a ledger legal? Each commit is checked once: the last verified tip is kept. */
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { isAncestor } from '../../ledger/links.ts'
import { assertLedger } from '../../ledger/read-files.ts'
import { fetchedLedgers } from '../../ledger/remote.ts'
import { type BadCommit, type Judged, judgeHistory } from '../../ledger/verify/first-bad-commit.ts'
import { readRef } from '../../platform/git/refs.ts'
import { isUnreadable } from '../ledger/read-ledger.ts'
import { ledgerRef, type Workspace } from '../workspace.ts'
import { acceptedCommits, markVerified, verifiedTip } from './accepted-commits.ts'

/** Nobody works on, lands from or publishes a ledger with an illegal commit that no person has accepted. */
export function assertLegal(ws: Workspace): void {
  const bad = firstBadHere(ws, ws.ledger)
  if (bad === null) return
  throw new UserError('ILLEGAL_HISTORY', `${ws.ledger} has an illegal commit: ${badText(bad)}`, {
    hint: waysOut(bad),
  })
}

export function badText({ commit, author, why }: BadCommit): string {
  return `${commit.slice(0, 7)} by ${author}: ${why}`
}

/** What a person can do about it. */
export function waysOut({ commit }: BadCommit) {
  const short = commit.slice(0, 12)
  return sentence`Look at it with git show ${short}. If it is what it should be, ${command`verify --accept ${short}`} accepts it; ${command`sync --without ${short}`} publishes the ledger without it.`
}

/** The first illegal commit of a ledger that is here; null if there is none. Only new commits are checked. */
export function firstBadHere(ws: Workspace, ledger: string): BadCommit | null {
  const { repo } = ws
  const tip = readRef(repo, ledgerRef(ledger))
  if (tip === null) return null
  const verified = verifiedTip(ws, ledger)
  if (verified === tip) return null
  const from = verified !== null && isAncestor(repo, verified, tip) ? verified : null
  const { firstBad } = judgeHistory(repo, { from, to: tip, accepted: acceptedCommits(ws) })
  if (firstBad === null) markVerified(ws, ledger, tip)
  // A newer gza may write lines that this one cannot read: that is a reason to upgrade, not a bad commit.
  else assertLedger(repo, tip)
  return firstBad
}

/** What was fetched of a ledger and is not here: from which remote, and whether it is legal. */
export interface JudgedRemote extends Judged {
  remote: string
  tip: string
}

export function judgeFetched(ws: Workspace, ledger: string): JudgedRemote[] {
  const mine = readRef(ws.repo, ledgerRef(ledger))
  return fetchedLedgers(ws.repo)
    .filter((fetched) => fetched.ledger === ledger && !(mine !== null && isAncestor(ws.repo, fetched.tip, mine)))
    .filter(({ tip }) => isReadable(ws, tip))
    .map(({ remote, tip }) => {
      const judged = judgeHistory(ws.repo, { from: mine, to: tip, accepted: acceptedCommits(ws) })
      return { remote, tip, ...judged }
    })
}

function isReadable({ repo }: Workspace, tip: string): boolean {
  try {
    assertLedger(repo, tip)
    return true
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  }
}
