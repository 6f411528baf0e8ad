import { isStandIn } from '../../core/ledger/archived-name.ts'
import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { pushLedgers, pushTogether } from '../../ledger/push-ledgers.ts'
import { assertLedger } from '../../ledger/read-files.ts'
import { fetchLedgers, recordSynced } from '../../ledger/remote.ts'
import { branchesOnRemotes } from '../../ledger/remote-heads.ts'
import { readRef } from '../../platform/git/refs.ts'
import { withoutQuestions } from '../../platform/git/remote-git.ts'
import { clearDeadWorktrees } from '../../runs/clear-dead-worktrees.ts'
import { isIllegal, type JoinResult, joinRemoteLedger } from '../../tasks/join-remote-ledger.ts'
import { movePartsAfterWholes } from '../../tasks/move/follow-wholes.ts'
import { moveRenamed } from '../../tasks/move/report-left-tasks.ts'
import { currentLedgers, localTips } from '../../workspace/branches/current-ledgers.ts'
import { joinMovedTasks } from '../../workspace/branches/join-moved-tasks.ts'
import { renamedBranches } from '../../workspace/branches/left-tasks.ts'
import { chooseRemote, knowRemotes } from '../../workspace/choose-remote.ts'
import { addMissingNotes } from '../../workspace/ledger/link-commits.ts'
import { isUnreadable } from '../../workspace/ledger/read-ledger.ts'
import { verifiedTips } from '../../workspace/legal/accepted-commits.ts'
import { linkAllLedgers } from '../../workspace/links/follow-commits.ts'
import { ledgerRef, type Workspace } from '../../workspace/workspace.ts'
import { archivedLedgers } from './archived-ledgers.ts'
import { ledgerInTheWay, warnOfBlocked } from './blocked-ledgers.ts'
import { groupTips, type Tips, withTargets } from './push-order.ts'

/**
 * `blocked`: it cannot be stored beside another ledger, or not be read. `rejected`: the remote did not take it.
 * `archived`: the remote has archived it, and nothing was added since.
 */
export type SyncResult = JoinResult | 'blocked' | 'rejected' | 'archived'

export interface SyncReport {
  remote: string
  /** `detail`: the remote's reason for a rejected ledger. */
  ledgers: { ledger: string; result: SyncResult; task_count: number; detail: string | null }[]
  /** What the remote printed about rejected ledgers, in lines. */
  printed: string[]
}

/** Is there a ledger that sync could not exchange? */
export function isIncomplete({ ledgers }: SyncReport): boolean {
  return ledgers.some(({ result }) => result === 'blocked' || result === 'refused' || result === 'rejected')
}

/** Each round takes in what the remote has by then, so a lost race costs one more round, but no work. */
const ROUNDS = 12

/** If nobody has moved a ledger of the remote for so many rounds, it is not a race: the remote cannot store it. */
const ROUNDS_UNMOVED = 6

/** Fetch, join, push; again while others push in between. Afterwards this clone and the remote have the same tasks. */
export async function syncLedgers(
  ws: Workspace,
  options: { remote?: string; only?: string | undefined } = {},
): Promise<SyncReport> {
  assertAllowed('sync', ws.actor)
  knowRemotes(ws)
  linkAllLedgers(ws)
  await clearDeadWorktrees(ws)
  const remote = chooseRemote(ws, ws.namedLedger, options.remote)
  await followRenames(ws)
  const exchange: Exchange = {
    ...{ remote, only: options.only },
    ...{ results: new Map(), rejected: new Map(), printed: new Set(), unmoved: new Map() },
  }
  for (let round = 0; round < ROUNDS; round++) {
    const { tips, toPush, theirs, here } = await joinWithRemote(ws, exchange)
    if (await pushInGroups(ws, exchange, { toPush, theirs })) {
      for (const ledger of exchange.rejected.keys()) tips.delete(ledger)
      recordSynced(ws.repo, remote, tips)
      warnOfRejected(ws, exchange)
      return report(ws, exchange, here)
    }
    Bun.sleepSync(20 + round * Number.parseInt(ws.random(2), 16))
  }
  throw new UserError('SYNC_RACE', `${remote} was moved by others ${ROUNDS} times in a row`, {
    hint: sentence`What was fetched is joined with the local tasks. Run ${command`sync`} again.`,
  })
}

/**
 * The tasks of a branch that was renamed here move to its new name. Only if no remote has the old name: others may work
 * on it. The remotes are asked only if a branch was renamed; one that does not answer leaves everything as it is.
 */
async function followRenames(ws: Workspace): Promise<void> {
  const renamed = renamedBranches(ws)
  if (renamed.length === 0) return
  try {
    const there = await branchesOnRemotes(ws.repo)
    for (const left of renamed.filter(({ ledger }) => !there.has(ledger))) moveRenamed(ws, left)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    ws.warnings.push(sentence`The tasks of a renamed branch are not moved yet: ${error.fact}`)
  }
}

/** One exchange with a remote, over all rounds. */
interface Exchange {
  remote: string
  only: string | undefined
  results: Map<string, SyncResult>
  /** The remote's reasons, by ledger. */
  rejected: Map<string, string>
  printed: Set<string>
  /** For how many rounds each ledger that was not taken has been at the same tip on the remote. */
  unmoved: Map<string, { at: string | undefined; rounds: number }>
}

interface JoinedLedgers {
  /** The current tip of each ledger, including everything that the remote has of it. */
  tips: Map<string, string>
  /** The tips that the remote lacks. */
  toPush: Map<string, string>
  /** What the remote has. */
  theirs: Tips
}

/** Brings each local ledger to contain everything of the remote's ledger. Ledgers that are the same cost no process. */
async function joinWithRemote(
  ws: Workspace,
  { remote, only, results }: Exchange,
): Promise<JoinedLedgers & { here: Tips }> {
  const theirs = await fetchLedgers(withoutQuestions(ws.repo), remote)
  const wanted = only === undefined ? null : withTargets(ws, only)
  const before = localTips(ws)
  const mine = realLedgers(before)
  const verified = verifiedTips(ws)
  const archived = archivedLedgers(ws, { remote, mine, theirs })
  const exchanged: string[] = []
  let isUntouched = true
  for (const ledger of new Set([...mine.keys(), ...theirs.keys()])) {
    if ((wanted !== null && !wanted.has(ledger)) || archived.here.has(ledger)) continue
    if (results.get(ledger) === 'blocked') continue
    const tip = mine.get(ledger)
    const isSame = tip !== undefined && theirs.get(ledger) === tip && verified(ledger) === tip
    const isJoined = !isSame && !archived.there.has(ledger)
    if (isJoined) isUntouched = false
    const unjoined = archived.there.has(ledger) ? 'archived' : 'current'
    const result = isJoined ? joinOne(ws, ledger, { remote, mine, theirs }) : unjoined
    results.set(ledger, combined(results.get(ledger), result))
    if (!NOT_EXCHANGED.includes(result)) exchanged.push(ledger)
  }
  // Mostly nothing has changed, and the files of the refs need not be read again.
  const isMoved = joinMovedTasks(ws, isUntouched ? before : undefined)
  const isFollowed = movePartsAfterWholes(ws)
  const after = isUntouched && !isMoved && !isFollowed ? before : localTips(ws)
  return { ...compareTips(exchanged, { mine: realLedgers(after), theirs }, results), here: after }
}

const NOT_EXCHANGED: SyncResult[] = ['blocked', 'refused', 'archived']

function joinOne(
  ws: Workspace,
  ledger: string,
  { remote, mine, theirs }: Record<'mine' | 'theirs', Tips> & { remote: string },
): SyncResult {
  const blocker = ledgerInTheWay(ledger, mine.has(ledger) ? theirs : mine)
  if (blocker === undefined) return joinReadable(ws, ledger, theirs.get(ledger) ?? null, remote)
  warnOfBlocked(ws, { ledger, blocker, remote, isHere: mine.has(ledger) })
  return 'blocked'
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
  return { tips, toPush, theirs }
}

/** False if the remote has newer commits of a ledger. Ledgers between which tasks moved arrive together. */
async function pushInGroups(
  ws: Workspace,
  exchange: Exchange,
  { toPush, theirs }: Pick<JoinedLedgers, 'toPush' | 'theirs'>,
): Promise<boolean> {
  const { remote, rejected, printed } = exchange
  const { independent, together } = groupTips(ws, new Map([...toPush].filter(([ledger]) => !rejected.has(ledger))))
  const repo = withoutQuestions(ws.repo)
  const pushed = [await pushLedgers(repo, remote, independent)]
  for (const group of together) pushed.push(await pushTogether(repo, remote, group))
  let isDone = true
  for (const each of pushed) {
    const before = rejected.size
    for (const [ledger, why] of each.rejected) rejected.set(ledger, why)
    for (const [ledger, why] of each.raced) {
      if (countUnmoved(exchange, ledger, theirs.get(ledger)) < ROUNDS_UNMOVED) isDone = false
      else rejected.set(ledger, why)
    }
    for (const line of rejected.size > before ? each.printed : []) printed.add(line)
  }
  return isDone
}

function countUnmoved({ unmoved }: Exchange, ledger: string, at: string | undefined): number {
  const before = unmoved.get(ledger)
  const rounds = before !== undefined && before.at === at ? before.rounds + 1 : 1
  unmoved.set(ledger, { at, rounds })
  return rounds
}

/** Others may have been pushed: which ones, the report shows. */
function warnOfRejected(ws: Workspace, { remote, rejected, printed, results }: Exchange): void {
  if (rejected.size === 0) return
  for (const ledger of rejected.keys()) results.set(ledger, 'rejected')
  const names = [...rejected].map(([ledger, why]) => `${ledger} (${why})`).join(', ')
  ws.warnings.push(
    ...[...printed].map((line) => `${remote} printed: ${line}`),
    sentence`${remote} rejected ${names}. Nothing is lost, and what was fetched is joined. The owner of ${remote} decides who may push refs/tasks/*; then run ${command`sync`} again`,
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

function realLedgers(tips: Tips): Map<string, string> {
  return new Map([...tips].filter(([ledger]) => !isStandIn(ledger)))
}

function combined(before: SyncResult | undefined, now: SyncResult): SyncResult {
  return before === undefined || before === 'current' || (before === 'pushed' && now !== 'current') || now === 'joined'
    ? now
    : before
}

function report(ws: Workspace, { remote, results, rejected, printed }: Exchange, here: Tips): SyncReport {
  const rows = new Map(currentLedgers(ws, here).map((row) => [row.ledger, row]))
  addMissingNotes(
    ws,
    [...results.keys()].flatMap((ledger) => rows.get(ledger) ?? []),
  )
  const ledgers = [...results].map(([ledger, result]) => {
    return { ledger, result, task_count: rows.get(ledger)?.tasks ?? 0, detail: rejected.get(ledger) ?? null }
  })
  return { remote, ledgers, printed: [...printed] }
}
