import { ARCHIVE, archivedName } from '../../core/ledger/archived-name.ts'
import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { isAncestor } from '../../ledger/links.ts'
import { assertLedger } from '../../ledger/read-files.ts'
import { defaultRemote, fetchLedgers, pushLedgers, pushTogether, recordSynced } from '../../ledger/remote.ts'
import { listRefs, readRef } from '../../platform/git/refs.ts'
import { isIllegal, type JoinResult, joinRemoteLedger } from '../../tasks/join-remote-ledger.ts'
import { joinMovedTasks } from '../../workspace/ledger/join-moved-tasks.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { addMissingNotes } from '../../workspace/ledger/link-commits.ts'
import { isUnreadable, readOtherLedger } from '../../workspace/ledger/read-ledger.ts'
import { linkAllLedgers } from '../../workspace/links/follow-commits.ts'
import { ledgerRef, type Workspace } from '../../workspace/workspace.ts'
import { groupTips, type Tips, withTargets } from './push-order.ts'

export type SyncResult = JoinResult | 'blocked'

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
    if (await pushInGroups(ws, remote, toPush)) {
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
  const wanted = only === undefined ? null : withTargets(ws, only)
  const exchanged: string[] = []
  for (const ledger of new Set([...localLedgers(ws).keys(), ...theirs.keys()])) {
    if (wanted !== null && !wanted.has(ledger)) continue
    const tip = theirs.get(ledger) ?? null
    const here = localLedgers(ws)
    if (tip !== null && !here.has(ledger) && isArchived(ws, ledger, tip)) continue
    const blocker = ledgerInTheWay(ledger, here.has(ledger) ? theirs : here)
    if (blocker !== undefined) warnOfBlocked(ws, { ledger, blocker, remote, isHere: here.has(ledger) })
    const result = blocker === undefined ? joinReadable(ws, ledger, tip, remote) : 'blocked'
    results.set(ledger, combined(results.get(ledger), result))
    if (result !== 'blocked' && result !== 'refused') exchanged.push(ledger)
  }
  joinMovedTasks(ws)
  return compareTips(exchanged, { mine: localLedgers(ws), theirs }, results)
}

/** What the remote lacks. A ledger that got facts of a moved task was maybe the same as the remote's before. */
function compareTips(
  ledgers: readonly string[],
  { mine, theirs }: Record<'mine' | 'theirs', Tips>,
  results: Map<string, SyncResult>,
): JoinedLedgers {
  const [tips, toPush] = [new Map<string, string>(), new Map<string, string>()]
  for (const ledger of ledgers) {
    const tip = mine.get(ledger)
    if (tip === undefined) continue
    tips.set(ledger, tip)
    if (tip === theirs.get(ledger)) continue
    toPush.set(ledger, tip)
    if (results.get(ledger) === 'current') results.set(ledger, 'pushed')
    if (results.get(ledger) === 'pulled') results.set(ledger, 'joined')
  }
  return { tips, toPush }
}

/** False if the remote has newer commits of a ledger. Ledgers between which tasks moved arrive together. */
async function pushInGroups(ws: Workspace, remote: string, tips: Tips): Promise<boolean> {
  const { independent, together } = groupTips(ws, tips)
  const lost = await pushLedgers(ws.repo, remote, independent)
  for (const group of together) lost.push(...(await pushTogether(ws.repo, remote, group)))
  return lost.length === 0
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
    if (theirs !== null) return joinRemoteLedger(ws, { ledger, theirs, remote })
    assertLedger(ws.repo, readRef(ws.repo, ledgerRef(ledger)) ?? ws.repo.zeroOid)
    return isIllegal(ws, { ledger, theirs, remote }) ? 'refused' : 'pushed'
  } catch (error) {
    if (!isUnreadable(error)) throw error
    ws.warnings.push(sentence`The tasks of ${ledger} are not exchanged with ${remote}: ${error.fact}`)
    return 'blocked'
  }
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
