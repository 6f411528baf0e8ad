/** Ledgers on a remote. Fetching fills a private namespace and never touches a ledger; the caller joins. */

import { spellName } from '../core/ledger/archived-name.ts'
import { command, sentence } from '../core/sentence.ts'
import { plural } from '../core/text/plural.ts'
import { UserError } from '../core/user-error.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { runGit, tryGit } from '../platform/git/git.ts'
import { listRefs } from '../platform/git/refs.ts'
import { askRemote, patience, type RemoteExit } from '../platform/git/remote-git.ts'

/** Where fetching puts a remote's ledgers. */
function remoteNamespace(remote: string): string {
  return `refs/gza/remotes/${shortName(remote)}/tasks/`
}

/** The tips that were here and on the remote at the same time: witnesses, unlike what was only fetched. */
export const SYNCED = 'refs/gza/synced/'

function shortName(remote: string): string {
  return remote.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'unnamed'
}

/** The remote to use if none is named: the branch's own, otherwise origin, otherwise the only one. */
export function defaultRemote(repo: Repo, branch: string | null): string {
  const own = branch === null ? '' : remoteOfBranch(repo, branch)
  if (own !== '' && own !== '.') return own
  const remotes = runGit(repo, ['remote']).toString().split('\n').filter(Boolean)
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

function remoteOfBranch(repo: Repo, branch: string): string {
  return tryGit(repo, ['config', '--get', `branch.${branch}.remote`])
    .stdout.toString()
    .trim()
}

/** The ledgers of all remotes, as they were when last fetched. */
export function fetchedLedgers(repo: Repo): { remote: string; ledger: string; tip: string }[] {
  return [...listRefs(repo, 'refs/gza/remotes/')].flatMap(([ref, tip]) => {
    const [, remote, ledger] = /^refs\/gza\/remotes\/([^/]+)\/tasks\/(.+)$/.exec(ref) ?? []
    return remote === undefined || ledger === undefined ? [] : [{ remote, ledger, tip }]
  })
}

/** The remote's current ledgers, by name. */
export async function fetchLedgers(repo: Repo, remote: string, limit = patience(repo)): Promise<Map<string, string>> {
  const into = remoteNamespace(remote)
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
    `+refs/tasks/*:${into}*`,
  ]
  const exit = await askRemote(repo, args, limit)
  refuseSilent(remote, exit, 'Nothing was changed.')
  if (exit.code !== 0) throw unreachable(remote, exit.stderr)
  return new Map([...listRefs(repo, into)].map(([ref, tip]) => [ref.slice(into.length), tip]))
}

/**
 * Pushes ledgers forward. Returns the ledgers that the remote refused because it has newer commits. Only a ledger with a
 * lease is replaced, and only if the remote still has exactly that commit.
 */
export async function pushLedgers(
  repo: Repo,
  remote: string,
  tips: ReadonlyMap<string, string>,
  leases: ReadonlyMap<string, string> = new Map(),
): Promise<string[]> {
  if (tips.size === 0) return []
  const leased = [...leases].map(([ledger, tip]) => `--force-with-lease=refs/tasks/${ledger}:${tip}`)
  return lostRaces(remote, await push(repo, remote, tips, ...leased))
}

/** The same, all or none; one after the other, in this order, if the remote cannot do that. */
export async function pushTogether(repo: Repo, remote: string, tips: ReadonlyMap<string, string>): Promise<string[]> {
  const exit = await push(repo, remote, tips, '--atomic')
  if (!/does not support --atomic/.test(exit.stderr)) return lostRaces(remote, exit)
  for (const tip of tips) {
    const lost = await pushLedgers(repo, remote, new Map([tip]))
    if (lost.length > 0) return lost
  }
  return []
}

async function push(
  repo: Repo,
  remote: string,
  tips: ReadonlyMap<string, string>,
  ...more: string[]
): Promise<RemoteExit> {
  const specs = [...tips].map(([ledger, tip]) => `${tip}:refs/tasks/${ledger}`)
  // The user's pre-push hook is for code, and may run for minutes; a ledger is not code.
  const options = ['--porcelain', '--progress', '--no-verify', '--no-follow-tags', '--recurse-submodules=no']
  const exit = await askRemote(repo, ['push', ...options, ...more, remote, ...specs], patience(repo))
  refuseSilent(remote, exit, 'What was fetched is joined with the local tasks; nothing is lost.')
  return exit
}

function lostRaces(remote: string, exit: RemoteExit): string[] {
  if (exit.code === 0) return []
  const rows = exit.stdout
    .toString()
    .split('\n')
    .filter((row) => row.startsWith('!'))
  const lost = rows.filter((row) =>
    /\[(remote )?rejected\].*(fetch first|non-fast-forward|stale info|failed to update ref|already exists|cannot lock ref|failed to lock|incorrect old value|reference already|atomic push fail)/.test(
      row,
    ),
  )
  if (rows.length === 0 || lost.length < rows.length) throw refused(remote, rows, exit.stderr)
  return lost.map((row) => /:refs\/tasks\/(\S+)/.exec(row)?.[1] ?? '')
}

/** Records the tips that this repository and the remote both have. */
export function recordSynced(repo: Repo, remote: string, tips: ReadonlyMap<string, string>): void {
  const lines = [...tips].map(([ledger, tip]) => `update ${SYNCED}${shortName(remote)}/${spellName(ledger)} ${tip}\n`)
  runGit(repo, ['update-ref', '--stdin'], lines.join(''))
}

function refuseSilent(remote: string, { silent }: RemoteExit, standing: string): void {
  if (silent === null) return
  throw new UserError('REMOTE_SILENT', `${remote} did not respond for ${plural(silent, 'second')}`, {
    hint: sentence`${standing} Check that git fetch works, then run ${command`sync`} again; git config gza.syncTimeout SECONDS sets a longer limit.`,
  })
}

function unreachable(remote: string, stderr: string): UserError {
  return new UserError('REMOTE_UNREACHABLE', `Could not fetch from ${remote}: ${lastLine(stderr)}`, {
    hint: sentence`Nothing was changed. Check that git fetch works, then run ${command`sync`} again.`,
  })
}

function refused(remote: string, rows: readonly string[], stderr: string): UserError {
  const why = rows[0]?.split('\t')[2] ?? lastLine(stderr)
  return new UserError('PUSH_REFUSED', `${remote} refused the push: ${why}`, {
    hint: 'What was fetched is joined with the local tasks; nothing is lost. The remote’s owner decides who may push refs/tasks/*.',
  })
}

function lastLine(stderr: string): string {
  return (
    stderr
      .trim()
      .split('\n')
      .find((line) => /^(fatal|error):/.test(line)) ??
    stderr.trim().split('\n').at(-1) ??
    ''
  )
}
