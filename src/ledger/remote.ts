/** Ledgers on a remote. Fetching fills a private namespace and never touches a ledger; the caller joins. */

import { ARCHIVE, spellName } from '../core/ledger/archived-name.ts'
import { command, sentence } from '../core/sentence.ts'
import { plural } from '../core/text/plural.ts'
import { UserError } from '../core/user-error.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { runGit } from '../platform/git/git.ts'
import { readRefsIn } from '../platform/git/ref-files.ts'
import { listRefs } from '../platform/git/refs.ts'
import {
  askRemote,
  configured,
  type Limit,
  patience,
  type RemoteExit,
  remoteNames,
} from '../platform/git/remote-git.ts'

/** Where fetching puts a remote's ledgers. */
function remoteNamespace(remote: string): string {
  return `refs/gza/remotes/${shortName(remote)}/tasks/`
}

/** And where it puts the ledgers that are archived there. */
function archiveNamespace(remote: string): string {
  return `refs/gza/remotes/${shortName(remote)}/archive/`
}

/** The tips that were here and on the remote at the same time: witnesses, unlike what was only fetched. */
export const SYNCED = 'refs/gza/synced/'

function shortName(remote: string): string {
  return remote.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'unnamed'
}

/** The remote to use if none is named: the branch's own, otherwise origin, otherwise the only one. */
export function defaultRemote(repo: Repo, branch: string | null): string {
  const own = branch === null ? '' : configured(repo, `branch.${branch}.remote`)
  if (own !== '' && own !== '.') return own
  const remotes = remoteNames(repo)
  if (remotes.includes('origin')) return 'origin'
  if (remotes.length === 1) return remotes[0] as string
  const hint =
    remotes.length === 0
      ? 'git remote add origin URL'
      : sentence`${command`sync ${remotes[0] ?? ''}`} (remotes: ${remotes.join(', ')})`
  throw new UserError(
    'NO_REMOTE',
    remotes.length === 0 ? 'This repository has no remote' : 'There are several remotes, and none is named origin',
    { hint },
  )
}

/** Git would read it as an option, and some options name a program to run. */
export function checkedRemote(remote: string): string {
  if (!remote.startsWith('-')) return remote
  throw new UserError('BAD_REMOTE', `'${remote}' cannot be a remote`, { hint: command`sync origin`, exitCode: 2 })
}

/** The start of a push. Git refuses to push single refs to a remote that is set up as a mirror; this allows it. */
export function pushCommand(remote: string): string[] {
  return [...(/^[\w.-]+$/.test(remote) ? ['-c', `remote.${remote}.mirror=false`] : []), 'push']
}

/** The ledgers of all remotes, as they were when last fetched. */
export function fetchedLedgers(repo: Repo): { remote: string; ledger: string; tip: string }[] {
  return [...listRefs(repo, 'refs/gza/remotes/')].flatMap(([ref, tip]) => {
    const [, remote, ledger] = /^refs\/gza\/remotes\/([^/]+)\/tasks\/(.+)$/.exec(ref) ?? []
    return remote === undefined || ledger === undefined ? [] : [{ remote, ledger, tip }]
  })
}

/**
 * The remote's current ledgers, by name. The remote is first asked what it has, and mostly that is what was fetched before:
 * git needs a quarter of the time of a fetch for that answer.
 */
export async function fetchLedgers(repo: Repo, remote: string, limit = patience(repo)): Promise<Map<string, string>> {
  const into = remoteNamespace(remote)
  const known = await fetchedIfSame(repo, remote, limit)
  if (known === null) await fetchAll(repo, remote, limit)
  const ledgers = [...(known ?? readRefsIn(repo, [into]))].filter(([ref]) => ref.startsWith(into))
  return new Map(ledgers.map(([ref, tip]) => [ref.slice(into.length), tip]))
}

/** What was fetched before, if the remote has exactly that; else null. If it cannot be asked, fetching reports why. */
async function fetchedIfSame(repo: Repo, remote: string, limit: Limit): Promise<Map<string, string> | null> {
  const folders = [remoteNamespace(remote), archiveNamespace(remote)]
  const fetched = readRefsIn(repo, folders)
  if (fetched.size === 0) return null
  const exit = await askRemote(repo, ['ls-remote', '--quiet', '--refs', remote, LEDGERS, `${ARCHIVE}*`], limit)
  refuseSilent(remote, exit, 'Nothing was changed.')
  if (exit.code !== 0) return null
  const rows = exit.stdout.toString().split('\n').filter(Boolean)
  const isSame =
    rows.length === fetched.size && rows.every((row) => fetched.get(fetchedName(remote, row)) === oidIn(row))
  return isSame ? fetched : null
}

const LEDGERS = 'refs/tasks/*'

/** Where fetching puts the ref of a row of `git ls-remote`. */
function fetchedName(remote: string, row: string): string {
  const ref = row.slice(row.indexOf('\t') + 1)
  if (ref.startsWith(ARCHIVE)) return archiveNamespace(remote) + ref.slice(ARCHIVE.length)
  return remoteNamespace(remote) + ref.slice(LEDGERS.length - 1)
}

function oidIn(row: string): string {
  return row.slice(0, row.indexOf('\t'))
}

async function fetchAll(repo: Repo, remote: string, limit: Limit): Promise<void> {
  const args = [
    'fetch',
    '--quiet',
    '--progress',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-recurse-submodules',
    // A ledger that the remote no longer has must not look like one that it has: it may be a new one under the old
    // name.
    '--prune',
    '--refmap=',
    remote,
    `+${LEDGERS}:${remoteNamespace(remote)}*`,
    `+${ARCHIVE}*:${archiveNamespace(remote)}*`,
  ]
  const exit = await fetchAlone(() => askRemote(repo, args, limit))
  refuseSilent(remote, exit, 'Nothing was changed.')
  if (exit.code !== 0) throw unreachable(remote, exit.stderr)
}

/**
 * Tries again if another process has fetched into the same namespace meanwhile, or was adding a worktree: git cannot
 * read the HEAD of an unfinished one.
 */
async function fetchAlone(fetch: () => Promise<RemoteExit>): Promise<RemoteExit> {
  for (const pause of FETCH_PAUSES_MS) {
    const exit = await fetch()
    if (
      exit.code === 0 ||
      !/cannot lock ref .*(but expected|File exists)|(bad object|failed to read) .*\bworktrees\//.test(exit.stderr)
    )
      return exit
    await Bun.sleep(pause)
  }
  return fetch()
}

const FETCH_PAUSES_MS = [20, 50, 100, 200, 400]

/** The archived ledgers of a remote, as they were when last fetched, under the names that an archive has. */
export function fetchedArchive(repo: Repo, remote: string): [ref: string, tip: string][] {
  const from = archiveNamespace(remote)
  return [...readRefsIn(repo, [from])].map(([ref, tip]) => [ARCHIVE + ref.slice(from.length), tip])
}

/** The commits of ledgers that a remote is known to have: it had them when they were last fetched or pushed. */
export function knownTips(repo: Repo, remote: string): Set<string> {
  return new Set(listRefs(repo, remoteNamespace(remote), `${SYNCED}${shortName(remote)}/`).values())
}

/** Records the tips that this repository and the remote both have. */
export function recordSynced(repo: Repo, remote: string, tips: ReadonlyMap<string, string>): void {
  const folder = `${SYNCED}${shortName(remote)}/`
  const known = readRefsIn(repo, [folder])
  const lines = [...tips].flatMap(([ledger, tip]) => {
    const ref = `${folder}${spellName(ledger)}`
    return known.get(ref) === tip ? [] : [`update ${ref} ${tip}\n`]
  })
  if (lines.length > 0) runGit(repo, ['update-ref', '--stdin'], lines.join(''))
}

/** Throws if the remote did not respond in time. */
export function refuseSilent(remote: string, { silent }: RemoteExit, standing: string): void {
  if (silent === null) return
  throw new UserError('REMOTE_SILENT', `${remote} did not respond for ${plural(silent, 'second')}`, {
    hint: sentence`${standing} Check that git fetch works, then run ${command`sync`} again; git config gza.syncTimeout SECONDS sets a longer limit.`,
  })
}

function unreachable(remote: string, stderr: string): UserError {
  return new UserError('REMOTE_UNREACHABLE', `Could not fetch from ${remote}: ${errorLine(stderr)}`, {
    hint: sentence`Nothing was changed. Check that git fetch works, then run ${command`sync`} again.`,
  })
}

/** Git's reason for a failure. Hosts print theirs before it, in capitals. */
export function errorLine(stderr: string): string {
  const lines = stderr.trim().split('\n')
  return lines.find((line) => /^(fatal|error):/i.test(line)) ?? lines.at(-1) ?? ''
}
