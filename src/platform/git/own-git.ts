/** Git as gza itself calls it, and the worktrees in which it does. */

import type { Repo } from './find-repo.ts'
import { type Env, type GitExit, type GitPlace, runGit, runGitAsync, tryGit, tryGitAsync, tryGitWithin } from './git.ts'
import { withoutSecrets } from './settings/secret-variables.ts'
import { adminFolder, hidingIn } from './worktree-folder.ts'

/**
 * The user's hooks do not run: a pre-commit hook that fails must not lose work, and --no-verify would still run four
 * others. They do run for the agent's own commits. Git must not ask for a passphrase, and no background process may
 * outlive the call.
 */
export function runOwnGit(place: GitPlace, args: readonly string[], input?: string | Buffer): Buffer {
  return runGit(place, own(args), input)
}

export function tryOwnGit(place: GitPlace, args: readonly string[], input?: string | Buffer): GitExit {
  return tryGit(place, own(args), input)
}

export function runOwnGitAsync(place: GitPlace, args: readonly string[]): Promise<Buffer> {
  return runGitAsync(place, own(args))
}

export function tryOwnGitAsync(place: GitPlace, args: readonly string[], input?: string | Buffer): Promise<GitExit> {
  return tryGitAsync(place, own(args), input)
}

/** Null: it took too long, or somebody has asked for its end. */
export function tryOwnGitWithin(
  place: GitPlace,
  args: readonly string[],
  limitMs: number,
  cancel: AbortSignal,
): Promise<GitExit | null> {
  return tryGitWithin(place, own(args), AbortSignal.any([AbortSignal.timeout(limitMs), cancel]))
}

function own(args: readonly string[]): string[] {
  return [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args]
}

/** Moves a checkout forward. By default, git overwrites ignored files without a warning. */
export const FAST_FORWARD: readonly string[] =
  'merge --quiet --ff-only --no-overwrite-ignore --no-autostash --no-verify-signatures --no-stat'.split(' ')

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.safecrlf=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'rerere.enabled=false',
  'submodule.recurse=false',
  // Otherwise `worktree remove` would use the user's settings and could miss untracked files.
  'status.showUntrackedFiles=all',
]

/**
 * A worktree of the repository as a place for git, without variables that would direct git to another one. What only
 * this worktree hides is hidden. An agent may have written its files: git is told where the worktree's own folder is, and
 * does not read its `.git`. `identity`: `Name <mail>` as author and committer.
 */
export function placeAt(repo: WithWorktrees, path: string, identity?: string): GitPlace {
  return guarded(personsPlaceAt(repo, path, identity))
}

/**
 * A filter of the person may be a file of the tree (`filter.x.clean = ./clean.sh`), so git runs what an agent has made of
 * it. It gets what the agent itself got: no secrets, and gza is in agent mode.
 */
export function guarded<T extends GitPlace>(place: T): T {
  return { ...place, env: { ...withoutSecrets(place.env), GZA_AGENT: 'git' } }
}

/** The same with the person's whole environment. checkout-place.ts decides where that is safe. */
export function personsPlaceAt(repo: WithWorktrees, path: string, identity?: string): GitPlace {
  const signed = identity === undefined ? {} : signature(identity)
  const folder = adminFolder(repo, path)
  const there = folder === null ? {} : { ...hidingIn(repo.env, folder), GIT_DIR: folder, GIT_WORK_TREE: path }
  return { dir: path, env: { ...staying(repo.env), ...there, GIT_LITERAL_PATHSPECS: '1', ...signed } }
}

type WithWorktrees = Pick<Repo, 'env' | 'commonDir'>

/** The environment without the variables that direct git away from the folder it runs in. */
export function staying(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LEADING_ELSEWHERE.includes(name)))
}

const LEADING_ELSEWHERE = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_NAMESPACE'],
  ...['GIT_AUTHOR_DATE', 'GIT_COMMITTER_DATE'],
]

function signature(identity: string): Env {
  const [, name = identity, mail = ''] = /^(.*) <(.*)>$/.exec(identity) ?? []
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail }
  return { ...author, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail }
}

/**
 * For git processes that gza itself starts in a run's worktree: they survive gza, and a restart must find and end them.
 * Not for ledgers: own-steps.ts recognizes gza's steps by the `Repo` object.
 */
export function markedBy<T extends GitPlace>(place: T, marker: string): T {
  const known = marked.get(place.env)
  if (known?.GZA_RUN === marker) return { ...place, env: known }
  const env = { ...place.env, GZA_RUN: marker }
  marked.set(place.env, env)
  return { ...place, env }
}

/** The same environment each time: what git says about settings is remembered for it. */
const marked = new WeakMap<Env, Env>()
