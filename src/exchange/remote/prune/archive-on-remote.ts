import { ARCHIVE, archivedName, spellName, standInName } from '../../../core/ledger/archived-name.ts'
import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { isAncestor } from '../../../ledger/links.ts'
import { fetchLedgers, pushCommand } from '../../../ledger/remote.ts'
import { refsOnRemote } from '../../../ledger/remote-heads.ts'
import { listRefs, refInTheWay } from '../../../platform/git/refs.ts'
import { askRemote, patience } from '../../../platform/git/remote-git.ts'
import { joinRemoteLedger } from '../../../tasks/join-remote-ledger.ts'
import { ledgerRef, type Workspace } from '../../../workspace/workspace.ts'

/** What a remote has of ledgers, by name. */
export interface RemoteLedgers {
  remote: string
  tips: ReadonlyMap<string, string>
}

export async function readRemoteLedgers(ws: Workspace, remote: string): Promise<RemoteLedgers> {
  return { remote, tips: await fetchLedgers(ws.repo, remote) }
}

/**
 * Takes in what the remote has of these ledgers, unless the archive here has all of it. A ledger that git cannot store
 * here beside another gets a stand-in for the time of this command.
 */
export function takeInRemote(ws: Workspace, { remote, tips }: RemoteLedgers, ledgers: readonly string[]): void {
  for (const ledger of ledgers) {
    const theirs = tips.get(ledger)
    if (theirs === undefined || archivedWith(ws, ledger, theirs) !== null) continue
    const result = joinRemoteLedger(ws, { ledger: nameHere(ws, ledger), theirs, remote })
    if (result === 'refused') throw illegal(ledger, remote)
  }
}

/** The name under which a ledger can be stored here: its own, or that of its stand-in. */
export function nameHere({ repo }: Workspace, ledger: string): string {
  return refInTheWay(repo, ledgerRef(ledger)) === null ? ledger : standInName(ledger)
}

function illegal(ledger: string, remote: string): UserError {
  return new UserError('ILLEGAL_HISTORY', `${ledger} has an illegal commit, here or on ${remote}`, {
    hint: sentence`No ledger was archived, here or there. ${command`verify --branch ${ledger}`} shows the commit.`,
  })
}

/** The archived commit that contains everything of this one. */
export function archivedWith(ws: Workspace, ledger: string, theirs: string): string | null {
  const archived = [...listRefs(ws.repo, ARCHIVE)].filter(([ref]) => archivedName(ref) === ledger)
  return archived.find(([, tip]) => isAncestor(ws.repo, theirs, tip))?.[1] ?? null
}

export interface RemoteMove {
  ledger: string
  /** The commit to archive: it contains everything of `theirs`. */
  tip: string
  theirs: string
}

/** Moves ledgers of the remote to its archive: all or none, and only if they are where they were. */
export async function archiveOnRemote(
  ws: Workspace,
  remote: string,
  { moves, pushed }: { moves: readonly RemoteMove[]; pushed: readonly string[] },
): Promise<void> {
  if (moves.length === 0) return
  const taken = await refsOnRemote(ws.repo, remote, `${ARCHIVE}*`)
  const args = moves.flatMap(({ ledger, tip, theirs }) => {
    const archive = freeName(taken, ledger)
    return {
      leases: [`--force-with-lease=${ledgerRef(ledger)}:${theirs}`, `--force-with-lease=${archive}:`],
      specs: [`${tip}:${archive}`, `:${ledgerRef(ledger)}`],
    }
  })
  const options = ['--atomic', '--porcelain', '--progress', '--no-verify', '--no-follow-tags']
  const leases = args.flatMap((each) => each.leases)
  const specs = [...pushed, ...args.flatMap((each) => each.specs)]
  const exit = await askRemote(
    ws.repo,
    [...pushCommand(remote), ...options, ...leases, remote, ...specs],
    patience(ws.repo),
  )
  if (exit.code === 0 && exit.silent === null) return
  const why =
    exit.stdout
      .toString()
      .split('\n')
      .find((row) => row.startsWith('!')) ?? exit.stderr.trim()
  throw new UserError('PUSH_REFUSED', `${remote} did not archive the ledgers: ${why.split('\t').at(-1)}`, {
    hint: sentence`No ledger was archived, here or there. ${command`sync`}, then try again.`,
  })
}

function freeName(taken: ReadonlyMap<string, string>, ledger: string): string {
  const plain = ARCHIVE + spellName(ledger)
  for (let n = 1; ; n++) {
    const ref = n === 1 ? plain : `${plain}#${n}`
    if (!taken.has(ref)) return ref
  }
}
