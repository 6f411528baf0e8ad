import { join } from 'node:path'
import { firstLine } from '../../../core/text/first-line.ts'
import { shellWord } from '../../../core/text/shell-word.ts'
import { UserError } from '../../../core/user-error.ts'
import { freeSpace, sizeBelow } from '../../../platform/files/disk.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { type GitExit, type GitPlace, gitError } from '../../../platform/git/git.ts'
import { listPacks, unpackFew } from '../../../platform/git/objects/unpack-few.ts'
import { guarded, markedBy, tryOwnGitWithin } from '../../../platform/git/own-git.ts'
import { readRefsIn } from '../../../platform/git/ref-files.ts'
import { untilAsked } from '../../../platform/processes/run-briefly.ts'
import { gitIn, incomingRef, type PrivateGit } from './private-git.ts'
import type { LooseEnd } from './unimported.ts'

/** Wraps a command so that it runs in the run's box. */
export type BoxCommand = (argv: readonly string[]) => readonly string[]

/** The name of the branch among the incoming refs. */
export const BRANCH = 'branch'

/** The name of what is committed elsewhere. The id makes it unique: an earlier one is never replaced. */
export function nameOf({ name, oid }: LooseEnd): string {
  return `${oid.slice(0, 10)}/${name}`
}

export interface Fetching {
  /** Null: the branch is not fetched. */
  branch: string | null
  ends: readonly LooseEnd[]
  box: BoxCommand
}

/**
 * Fetches from the private folder into incoming refs. Git checks each object. The side that reads the private folder runs
 * in the box, so that nothing planted there runs outside, and nothing is read that the box hides. Returns why it failed.
 */
export async function fetchWork(repo: Repo, git: PrivateGit, { branch, ends, box }: Fetching): Promise<string | null> {
  const { run } = git.about
  const specs = [
    ...(branch === null ? [] : [`+refs/heads/${branch}:${incomingRef(run, BRANCH)}`]),
    ...ends.map((end) => `+${end.source}:${incomingRef(run, nameOf(end))}`),
  ]
  const full = whyNoRoom(repo, git)
  if (full !== null) return full
  // `--strict`: not a repository below that folder.
  const serve = [...box(['git', 'upload-pack', '--strict'])].map(shellWord).join(' ')
  const args = [...FETCH_SETTINGS, 'fetch', ...FETCH_FLAGS, '--upload-pack', serve, gitIn(git.folder), ...specs]
  const place = guarded(markedBy(repo, run))
  const before = listPacks(repo)
  const fetching = { ...place, env: { ...place.env, ...FETCH_ENVIRONMENT } }
  const why = await untilAsked(run, (cancel) => fetchOnce(fetching, { args, cancel }, MOST_WAITS))
  const commits = why === null ? [...readRefsIn(repo, [incomingRef(run, '')]).values()] : []
  if (why === null) await unpackFew(repo, place, { before, commits })
  return why
}

/**
 * Git reads the HEAD of every worktree to find out what it has. While it adds one, its HEAD is not a commit yet,
 * and a fetch of another run fails.
 */
async function fetchOnce(
  place: GitPlace,
  fetch: { args: readonly string[]; cancel: AbortSignal },
  waits: number,
): Promise<string | null> {
  const { args, cancel } = fetch
  const exit = await tryOwnGitWithin(place, args, LIMIT_MS, cancel)
  if (exit === null) return cancel.aborted ? ENDED_EARLY : `it took longer than ${LIMIT_MS / 60_000} minutes`
  if (waits === 0 || !/bad object worktrees\/.*\/HEAD/.test(exit.stderr)) return whyFailed(args, exit)
  await Bun.sleep(WAIT_MS)
  if (cancel.aborted) return ENDED_EARLY
  return fetchOnce(place, fetch, waits - 1)
}

const MOST_WAITS = 50
const WAIT_MS = 100

export const LIMIT_MS = 10 * 60_000

/** Why what an agent left is not brought back yet: the next `gza work` does it. */
export const ENDED_EARLY = 'it was ended with the run'

export const FETCH_SETTINGS = [
  'fetch.fsckObjects=true',
  'fetch.writeCommitGraph=false',
  'fetch.prune=false',
  'fetch.recurseSubmodules=false',
  'protocol.version=2',
  'protocol.file.allow=always',
].flatMap((setting) => ['-c', setting])

export const FETCH_FLAGS = [
  ...['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance'],
  ...['--no-show-forced-updates', '--no-prune', '--no-update-shallow'],
]

/** A partial clone must not fetch what an agent only mentions: that would talk to a server in the person's name. */
export const FETCH_ENVIRONMENT = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'file' }

/** Git's last line of the kind `error:` or `fatal:` is often only a consequence. */
function whyFailed(args: readonly string[], exit: GitExit): string | null {
  const { code, stderr } = exit
  if (code === 0) return null
  // Without what the side in the box says.
  const error = gitError(args, { ...exit, stderr: stderr.replace(/^remote:.*$/gm, '') })
  // No fault of the agent.
  if (error instanceof UserError && error.code === 'DISK_FULL') throw error
  const lines = stderr.split('\n').filter((line) => /^(error|fatal|fsck error|remote: (error|fatal)): /.test(line))
  return firstLine(lines[0] ?? stderr.trim()) || `git fetch exited with ${code}`
}

/** The objects are copied. An agent that makes many would fill the disk, which stops every other run too. */
function whyNoRoom(repo: Repo, { folder }: PrivateGit): string | null {
  const size = sizeBelow(join(gitIn(folder), 'objects'))
  const free = freeSpace(join(repo.commonDir, 'objects'))
  if (size < LITTLE || size + RESERVE < free) return null
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`
  return `its objects take ${megabytes(size)}, and only ${megabytes(free)} are free`
}

const LITTLE = 16 * 1024 * 1024
const RESERVE = 256 * 1024 * 1024
