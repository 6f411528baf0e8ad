import { isStandIn, standInName } from '../../../core/ledger/archived-name.ts'
import { command, sentence } from '../../../core/sentence.ts'
import { assertAllowed } from '../../../core/task/agent-mode.ts'
import { UserError } from '../../../core/user-error.ts'
import { branchesOnRemotes } from '../../../ledger/remote-heads.ts'
import { listRefs, readRef } from '../../../platform/git/refs.ts'
import { listWorktrees } from '../../../platform/git/worktrees.ts'
import { countOpen } from '../../../state/index/list-entries.ts'
import { moveTasks } from '../../../tasks/move/move-tasks.ts'
import { assertDestination } from '../../../tasks/move/name-ledgers.ts'
import { assertLedgerName } from '../../../workspace/choose-ledger.ts'
import { chooseRemote } from '../../../workspace/choose-remote.ts'
import { archiveRef } from '../../../workspace/ledger/archive-ref.ts'
import { ledgerNames, readLedgers } from '../../../workspace/ledger/read-ledger.ts'
import { swapLedgers } from '../../../workspace/ledger/swap-ledgers.ts'
import { ledgerRef, type Workspace } from '../../../workspace/workspace.ts'
import {
  archivedWith,
  archiveOnRemote,
  nameHere,
  type RemoteLedgers,
  type RemoteMove,
  readRemoteLedgers,
  takeInRemote,
} from './archive-on-remote.ts'
import { restoreLedger } from './restore-ledger.ts'

export interface PruneOptions {
  dryRun?: boolean
  /** Restore the archived ledger of this branch instead. */
  restore?: string
  /** Where open tasks move to. They arrive on hold. */
  moveTo?: string
  /** Archive open tasks with their ledgers. */
  archiveOpen?: boolean
  /** Also archive the ledgers on this remote; true: on the default one. */
  remote?: string | boolean
}

export interface PrunedLedger {
  ledger: string
  ref: string
  /** How many open tasks it had. */
  open_count: number
  moved_to: string | null
}

export interface PruneReport {
  archived: PrunedLedger[]
  /** Ledgers with open tasks that nobody decided about. */
  kept: { ledger: string; open_count: number }[]
  /** Ledgers that were archived on the remote. */
  archived_on_remote: string[]
  restored: string | null
  /** The restored ledger was joined into a new one of its name. */
  joined: boolean
}

const NOTHING: PruneReport = { archived: [], kept: [], archived_on_remote: [], restored: null, joined: false }

/** Moves the ledgers of branches that no longer exist, here and on every remote, into the archive; or restores one. */
export async function pruneLedgers(ws: Workspace, options: PruneOptions = {}): Promise<PruneReport> {
  assertAllowed('prune', ws.actor)
  if (options.restore !== undefined) {
    const { ledger, joined } = restoreLedger(ws, options.restore)
    return { ...NOTHING, restored: ledger, joined }
  }
  if (options.moveTo !== undefined) assertLedgerName(options.moveTo)
  const remote = options.remote ? await readRemoteLedgers(ws, remoteOf(ws, options.remote)) : null
  const present = ledgerNames(ws).filter((ledger) => !isStandIn(ledger))
  const gone = await goneLedgers(ws, [...present, ...(remote?.tips.keys() ?? [])])
  checkDestination(ws, options.moveTo, gone)
  if (remote !== null && !options.dryRun)
    takeInRemote(ws, remote, [...gone, ...(options.moveTo === undefined ? [] : [options.moveTo])])
  const { archived, kept } = decide(ws, gone, options)
  if (options.dryRun) return { ...NOTHING, archived, kept }
  for (const { ledger } of kept) removeStandIn(ws, ledger)
  for (const { ledger, moved_to } of archived) if (moved_to !== null) moveOpen(ws, ledger, moved_to)
  const archived_on_remote =
    remote === null ? [] : await archiveThere(ws, { remote, gone, kept, target: options.moveTo })
  for (const { ledger, ref } of archived) archiveHere(ws, ledger, ref)
  return { ...NOTHING, archived, kept, archived_on_remote }
}

/** Those of the ledgers whose branch exists neither here nor on any remote. The remotes are asked, if there are any. */
async function goneLedgers(ws: Workspace, ledgers: Iterable<string>): Promise<string[]> {
  const here = new Set([...localBranches(ws), ...(ws.namedLedger === null ? [] : [ws.namedLedger])])
  const absent = [...new Set(ledgers)].filter((ledger) => !here.has(ledger))
  if (absent.length === 0) return []
  const there = await branchesOnRemotes(ws.repo)
  return absent.filter((ledger) => !there.has(ledger)).sort()
}

/** Also branches without a commit that some worktree is on: they have no ref. */
function localBranches({ repo }: Workspace): string[] {
  const refs = [...listRefs(repo, 'refs/heads/').keys()].map((ref) => ref.slice('refs/heads/'.length))
  return [...refs, ...listWorktrees(repo).flatMap(({ branch }) => branch ?? [])]
}

function remoteOf(ws: Workspace, named: string | true): string {
  return chooseRemote(ws, ws.namedLedger, named === true ? undefined : named)
}

function checkDestination(ws: Workspace, to: string | undefined, gone: readonly string[]): void {
  if (to === undefined) return
  if (gone.includes(to))
    throw new UserError('NO_BRANCH', `The branch ${to} no longer exists: its own ledger would be archived`, {
      hint: sentence`Nothing was changed. Name a branch that exists: ${command`prune --move-to main`}`,
    })
  assertDestination(ws, to)
}

function decide(
  ws: Workspace,
  gone: readonly string[],
  { moveTo, archiveOpen }: PruneOptions,
): Pick<PruneReport, 'archived' | 'kept'> {
  const names = new Map(gone.map((ledger) => [nameHere(ws, ledger), ledger]))
  const here = [...names.keys()].filter((name) => readRef(ws.repo, ledgerRef(name)) !== null)
  const ledgers = readLedgers(ws, here).map(({ row }) => ({
    ledger: names.get(row.ledger) ?? row.ledger,
    open_count: countOpen(ws.state, row.lid),
  }))
  const isDecided = (open: number) => open === 0 || moveTo !== undefined || archiveOpen === true
  return {
    archived: ledgers
      .filter(({ open_count }) => isDecided(open_count))
      .map(({ ledger, open_count }) => {
        const moved_to = open_count > 0 ? (moveTo ?? null) : null
        return { ledger, ref: archiveRef(ws.repo, ledger), open_count, moved_to }
      }),
    kept: ledgers.filter(({ open_count }) => !isDecided(open_count)),
  }
}

function moveOpen(ws: Workspace, from: string, to: string): void {
  moveTasks(ws, { from: nameHere(ws, from), to, chosen: { which: 'open' }, onHold: true })
}

interface RemotePart extends Pick<PruneReport, 'kept'> {
  remote: RemoteLedgers
  gone: readonly string[]
  /** The ledger that got the open tasks: it arrives with the archive. */
  target: string | undefined
}

/** Before anything is archived here: if the remote refuses, nothing has changed. */
async function archiveThere(ws: Workspace, { remote, gone, kept, target }: RemotePart): Promise<string[]> {
  const moves = gone.flatMap((ledger): RemoteMove[] => {
    const theirs = remote.tips.get(ledger)
    if (theirs === undefined || kept.some((each) => each.ledger === ledger)) return []
    const tip = readRef(ws.repo, ledgerRef(nameHere(ws, ledger))) ?? archivedWith(ws, ledger, theirs)
    return tip === null ? [] : [{ ledger, tip, theirs }]
  })
  const arrives = target === undefined ? null : readRef(ws.repo, ledgerRef(target))
  const pushed = target === undefined || arrives === null ? [] : [`${arrives}:${ledgerRef(target)}`]
  await archiveOnRemote(ws, remote.remote, { moves, pushed })
  return moves.map(({ ledger }) => ledger)
}

/** The remote has all of it, and keeps it. */
function removeStandIn(ws: Workspace, ledger: string): void {
  const ref = ledgerRef(standInName(ledger))
  const tip = readRef(ws.repo, ref)
  if (tip !== null) swapLedgers(ws, [{ ref, to: null, from: tip }], `gza: leave ${ledger} on the remote`)
}

function archiveHere(ws: Workspace, ledger: string, ref: string): void {
  const present = ledgerRef(nameHere(ws, ledger))
  const tip = readRef(ws.repo, present)
  const moves = [
    { ref, to: tip, from: null },
    { ref: present, to: null, from: tip },
  ]
  if (tip !== null && swapLedgers(ws, moves, `gza: archive ${ledger}, whose branch is gone`)) return
  throw new UserError('LEDGER_BUSY', `${ledger} was changed meanwhile`, {
    hint: sentence`It was not archived. Run ${command`prune`} again.`,
  })
}
