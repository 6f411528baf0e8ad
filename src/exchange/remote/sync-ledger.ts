import { ARCHIVE, archivedName } from '../../core/ledger/archived-name.ts'
import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { isAncestor } from '../../ledger/links.ts'
import { assertLedger } from '../../ledger/read-files.ts'
import { defaultRemote, fetchLedgers, pushLedgers, recordSynced } from '../../ledger/remote.ts'
import { verifyHistory } from '../../ledger/verify/verify-history.ts'
import { listRefs, readRef, swapRefs } from '../../platform/git/refs.ts'
import { withFinishedParents } from '../../tasks/checks/finish-parents.ts'
import { changeLedger, type Decision } from '../../workspace/ledger/change-ledger.ts'
import { decideJoin } from '../../workspace/ledger/join-ledger.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { addMissingNotes } from '../../workspace/ledger/link-commits.ts'
import { isUnreadable, readOtherLedger } from '../../workspace/ledger/read-ledger.ts'
import { linkAllLedgers } from '../../workspace/links/follow-commits.ts'
import { alsoFor, ledgerRef, type Workspace } from '../../workspace/workspace.ts'

export type SyncResult = 'pushed' | 'pulled' | 'joined' | 'current' | 'blocked'

export interface SyncReport {
  remote: string
  ledgers: { ledger: string; result: SyncResult; tasks: number }[]
}

/** Each round takes in what the remote has by then, so a lost race costs one more round, but no work. */
const ROUNDS = 12

/** Fetch, join, push; again while others push in between. Afterwards this clone and the remote have the same tasks. */
export async function syncLedgers(
  ws: Workspace,
  options: { remote?: string; only?: string } = {},
): Promise<SyncReport> {
  assertAllowed('sync', ws.actor)
  linkAllLedgers(ws)
  const remote = checkedRemote(options.remote) ?? defaultRemote(ws.repo, ws.namedLedger)
  const results = new Map<string, SyncResult>()
  for (let round = 0; round < ROUNDS; round++) {
    const { tips, toPush } = await joinWithRemote(ws, { remote, only: options.only }, results)
    if ((await pushLedgers(ws.repo, remote, toPush)).length === 0) {
      recordSynced(ws.repo, remote, tips)
      return report(ws, remote, results)
    }
    Bun.sleepSync(20 + round * Number.parseInt(ws.random(2), 16))
  }
  throw new UserError('SYNC_RACE', `${remote} was moved by others ${ROUNDS} times in a row`, {
    hint: sentence`What was fetched is joined with the local tasks. Run ${command`sync`} again.`,
  })
}

interface JoinedLedgers {
  /** The current tip of each ledger, including everything that the remote has of it. */
  tips: Map<string, string>
  /** The tips that the remote lacks. */
  toPush: Map<string, string>
}

/** Git would read it as an option, and some options name a program to run. */
function checkedRemote(remote: string | undefined): string | undefined {
  if (!remote?.startsWith('-')) return remote
  throw new UserError('BAD_REMOTE', `'${remote}' cannot be a remote`, { hint: command`sync origin`, exitCode: 2 })
}

/** Brings each local ledger to contain everything of the remote's ledger. */
async function joinWithRemote(
  ws: Workspace,
  { remote, only }: { remote: string; only: string | undefined },
  results: Map<string, SyncResult>,
): Promise<JoinedLedgers> {
  const theirs = await fetchLedgers(ws.repo, remote)
  const [tips, toPush] = [new Map<string, string>(), new Map<string, string>()]
  for (const ledger of new Set([...localLedgers(ws).keys(), ...theirs.keys()])) {
    if (only !== undefined && ledger !== only) continue
    const tip = theirs.get(ledger) ?? null
    const here = localLedgers(ws)
    if (tip !== null && !here.has(ledger) && isArchived(ws, ledger, tip)) continue
    const blocker = ledgerInTheWay(ledger, here.has(ledger) ? theirs : here)
    if (blocker !== undefined) warnOfBlocked(ws, { ledger, blocker, remote, isHere: here.has(ledger) })
    const result = blocker === undefined ? joinReadable(ws, ledger, tip, remote) : 'blocked'
    const mine = localLedgers(ws).get(ledger)
    results.set(ledger, combined(results.get(ledger), result))
    if (result === 'blocked' || mine === undefined) continue
    tips.set(ledger, mine)
    if (mine !== tip) toPush.set(ledger, mine)
  }
  return { tips, toPush }
}

/** Does the archive here contain everything that the remote has of a ledger? Then it was archived, and not lost. */
function isArchived(ws: Workspace, ledger: string, theirs: string): boolean {
  const archived = [...listRefs(ws.repo, ARCHIVE)].filter(([ref]) => archivedName(ref) === ledger)
  return archived.some(([, tip]) => isAncestor(ws.repo, theirs, tip))
}

/** Git cannot store refs/tasks/feature and refs/tasks/feature/x together. */
function ledgerInTheWay(ledger: string, others: ReadonlyMap<string, string>): string | undefined {
  return [...others.keys()].find((other) => ledger.startsWith(`${other}/`) || other.startsWith(`${ledger}/`))
}

function warnOfBlocked(
  ws: Workspace,
  { ledger, blocker, remote, isHere }: { ledger: string; blocker: string; remote: string; isHere: boolean },
): void {
  const [kept, missing] = isHere ? ['here', remote] : [`on ${remote}`, 'this repository']
  ws.warnings.push(
    `The tasks of ${ledger} stay ${kept}: ${missing} has those of ${blocker}, and git does not allow a ref below another`,
  )
}

/** A ledger that cannot be read, here or there, must not prevent the exchange of the others. */
function joinReadable(ws: Workspace, ledger: string, theirs: string | null, remote: string): SyncResult {
  try {
    if (theirs !== null) return joinOne(ws, ledger, theirs, remote)
    assertLedger(ws.repo, readRef(ws.repo, ledgerRef(ledger)) ?? ws.repo.zeroOid)
    return 'pushed'
  } catch (error) {
    if (!isUnreadable(error)) throw error
    ws.warnings.push(sentence`The tasks of ${ledger} are not exchanged with ${remote}: ${error.fact}`)
    return 'blocked'
  }
}

/** How often a ledger that local writers move meanwhile is read again. */
const FOLLOW_TRIES = 100

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

function joinOne(ws: Workspace, ledger: string, theirs: string, remote: string): SyncResult {
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

/** One clone may have finished one child, and another clone the other: only together they finish the parent. */
function joinAndFinish(view: LedgerView, theirs: string, remote: string): Decision<number> {
  const decision = decideJoin(view, theirs, `join ${remote}`)
  return { ...decision, ...withFinishedParents(view, decision) }
}

function localLedgers(ws: Workspace): Map<string, string> {
  return new Map([...listRefs(ws.repo, 'refs/tasks/')].map(([ref, tip]) => [ref.slice('refs/tasks/'.length), tip]))
}

function combined(before: SyncResult | undefined, now: SyncResult): SyncResult {
  return before === undefined || before === 'current' || (before === 'pushed' && now !== 'current') || now === 'joined'
    ? now
    : before
}

function report(ws: Workspace, remote: string, results: ReadonlyMap<string, SyncResult>): SyncReport {
  const ledgers = [...results].map(([ledger, result]) => {
    const view = viewIfReadable(ws, ledger)
    if (view === null) return { ledger, result, tasks: 0 }
    addMissingNotes(view.ws, view)
    return { ledger, result, tasks: view.row.tasks }
  })
  return { remote, ledgers }
}

function viewIfReadable(ws: Workspace, ledger: string): LedgerView | null {
  try {
    return readOtherLedger(ws, ledger)
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}
