import { isStandIn } from '../../core/ledger/archived-name.ts'
import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { judgeHistory } from '../../ledger/verify/first-bad-commit.ts'
import type { Problem } from '../../ledger/verify/verify-history.ts'
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
import { refuseOrphans } from '../../workspace/config/refuse-orphans.ts'
import { isUnreadable, ledgerNames, readLedger, readOtherLedger } from '../../workspace/ledger/read-ledger.ts'
import { acceptCommit, acceptedCommits } from '../../workspace/legal/accepted-commits.ts'
import { judgeFetched } from '../../workspace/legal/legal-ledger.ts'
import { type LostLink, lostLinks } from '../../workspace/links/lost-links.ts'
import { isRecorded } from '../../workspace/lost/lost-tips.ts'
import { ledgerRef, type Workspace } from '../../workspace/workspace.ts'

export interface VerifyReport {
  ledger: string
  ok: boolean
  commit_count: number
  task_count: number
  first_bad: BadCommit | null
  problems: BadCommit[]
  /** How many bad commits a person has accepted. */
  accepted_count: number
  /** Fetched histories of the ledger that were not taken in, because they have a bad commit. */
  refused: { remote: string; first_bad: BadCommit }[]
  witnesses: Witness[]
  /** Links to commits that no branch has. They are named, and fail nothing: people may drop commits. */
  links: LostLink[]
}

interface BadCommit {
  commit: string
  detail: string
  author: string | null
}

/** Proves what can be proven: every step went forward, and no witness remembers anything that is missing. */
export function verifyLedger(
  ws: Workspace,
  options: { allBranches?: boolean; accept?: string | undefined } = {},
): VerifyReport[] {
  if (options.accept !== undefined) acceptBad(ws, options.accept)
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
    .filter((ledger) => !present.has(ledger) && !isStandIn(ledger))
    .map((ledger) => verifyAbsent(ws, rememberedTips(ws, ledger, lastSeen(ws, ledger))))
    .filter(({ ok }) => !ok)
}

/** `seen`: the tip that the index read last. */
function rememberedTips({ repo }: Workspace, ledger: string, seen: string | null): RememberedTips {
  const wasSeen = (tip: string) => tip === seen || isRecorded(repo, tip)
  return { ...readRememberedTips(repo, ledger, wasSeen), index: seen }
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
    if (error.code === 'LEDGER_TOO_NEW') {
      ws.warnings.push(sentence`${ledgerRef(ledger)} cannot be checked: ${error.fact}. ${error.hint ?? ''}`)
      return { ...nothingFound(ledger), ok: false }
    }
    const problem = { commit: tipOf(ws, ledger), detail: error.message, author: null }
    return { ...nothingFound(ledger), ok: false, first_bad: problem, problems: [problem] }
  }
}

function tipOf({ repo }: Workspace, ledger: string): string {
  return listRefs(repo, ledgerRef(ledger)).get(ledgerRef(ledger)) ?? repo.zeroOid
}

function verifyOne(ws: Workspace, ledger: string, seen: string | null): VerifyReport {
  const remembered = rememberedTips(ws, ledger, seen)
  const tip = readRef(ws.repo, ledgerRef(ledger))
  if (tip === null) return verifyAbsent(ws, remembered)
  const { commits, problems, firstBad, accepted } = judgeHistory(ws.repo, { from: null, to: tip, ...known(ws) })
  const fetched = judgeFetched(ws, ledger)
  const refused = refusedOf(fetched)
  const witnesses = compareWithWitnesses(ws.repo, remembered, tip)
  const view = readOtherLedger(ws, ledger)
  const { row } = view
  const damaged = unreadableLines(ws.state, row.lid).map(({ path, line, why }) => ({
    commit: tip,
    why: `${path} line ${line}: ${why}`,
  }))
  const all = problems.length > 0 || accepted > 0 ? problems : damaged
  const first = firstBad ?? all[0]
  const ok = all.length + refused.length === 0 && witnesses.every((witness) => witness.state !== 'differs')
  return {
    ...{ ledger, ok, commit_count: commits, task_count: row.tasks },
    first_bad: first === undefined ? null : badCommit(first),
    problems: all.map(badCommit),
    witnesses,
    links: lostLinks(view),
    accepted_count: fetched.reduce((sum, each) => sum + each.accepted, accepted),
    refused,
  }
}

function refusedOf(fetched: ReturnType<typeof judgeFetched>): VerifyReport['refused'] {
  return fetched.flatMap(({ remote, firstBad }) => (firstBad ? [{ remote, first_bad: badCommit(firstBad) }] : []))
}

function badCommit({ commit, why, author }: Problem & { author?: string }): BadCommit {
  return { commit, detail: why, author: author ?? null }
}

function known(ws: Workspace) {
  return { accepted: acceptedCommits(ws) }
}

/** Only a commit that is bad can be accepted: another one is a slip, and would be accepted for ever. */
function acceptBad(ws: Workspace, name: string): void {
  assertAllowed('verify --accept', ws.actor)
  refuseOrphans(ws)
  const tip = readRef(ws.repo, ledgerRef(ws.ledger))
  const here = tip === null ? [] : judgeHistory(ws.repo, { from: null, to: tip, ...known(ws) }).problems
  const problems = [...here, ...judgeFetched(ws, ws.ledger).flatMap((each) => each.problems)]
  const found = new Set(problems.map(({ commit }) => commit).filter((commit) => commit.startsWith(name.toLowerCase())))
  const [commit] = found
  const isOne = commit !== undefined && found.size === 1 && name.length >= 4
  if (isOne) acceptCommit(ws, commit)
  if (isOne || isAccepted(ws, name)) return
  throw new UserError('NOT_ILLEGAL', `${name} is not an illegal commit of ${ws.ledger}`, {
    hint: sentence`${command`verify`} names the first bad commit.`,
  })
}

function isAccepted(ws: Workspace, name: string): boolean {
  return [...acceptedCommits(ws)].some((commit) => commit.startsWith(name.toLowerCase()))
}

/** A ledger that never existed is fine; one that a witness remembers was deleted, unless it is in the archive. */
function verifyAbsent(ws: Workspace, remembered: RememberedTips): VerifyReport {
  const witnesses = compareAbsentWithWitnesses(ws.repo, remembered)
  const ok = witnesses.every((witness) => witness.state !== 'differs')
  const refused = refusedOf(judgeFetched(ws, remembered.ledger))
  return { ...nothingFound(remembered.ledger), ok: ok && refused.length === 0, witnesses, refused }
}

function nothingFound(ledger: string): Omit<VerifyReport, 'ok'> {
  return {
    ledger,
    commit_count: 0,
    task_count: 0,
    first_bad: null,
    problems: [],
    witnesses: [],
    accepted_count: 0,
    refused: [],
    links: [],
  }
}
