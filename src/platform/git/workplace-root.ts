import { createHash } from 'node:crypto'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { realPath } from '../files/inspect-file.ts'
import { userStateFolder } from '../files/user-folders.ts'
import type { Repo } from './find-repo.ts'
import type { Env } from './git.ts'

/** The folder of all worktrees that gza makes for a repository. It is the same for all its checkouts. */
export function workplaceRoot(repo: Repo, env: Env): string {
  const chosen = chosenRoots.get(repo.commonDir) ?? null
  const key = JSON.stringify([repo.commonDir, repo.workTree, env.XDG_STATE_HOME, env.HOME, chosen])
  const root = roots.get(key) ?? findRoot(repo, env, chosen)
  roots.set(key, root)
  return root
}

/**
 * The folder of the private git folders of a repository's worktrees. It stays in the person's state folder even where a
 * configuration wants the worktrees elsewhere: that place may be shared with others.
 */
export function privateGitRoot(repo: Repo, env: Env): string {
  return findRoot(repo, env, null, 'private')
}

/** Where a configuration wants the worktrees of a repository. It is read before any worktree is made. */
export function chooseWorkplaceRoot({ commonDir }: Repo, root: string | null): void {
  if (root === null) chosenRoots.delete(commonDir)
  else chosenRoots.set(commonDir, root)
}

const chosenRoots = new Map<string, string>()

/** A cache: it is needed at every step of a run and never changes during a process. */
const roots = new Map<string, string>()

function findRoot(repo: Repo, env: Env, chosen: string | null, kind: 'worktrees' | 'private' = 'worktrees'): string {
  const common = realPath(repo.commonDir)
  const hash = createHash('sha256').update(common).digest('hex').slice(0, 8)
  const name = `${repoName(common)}-${hash}`
  // The same folder may be chosen for several repositories.
  if (chosen !== null) return join(realPath(resolve(topOf(common), expandHome(chosen, env))), name)
  const root = join(realPath(userStateFolder(env)), kind, name)
  // If the home folder is itself a repository, it would show them as untracked.
  const isInside = repo.workTree !== null && root.startsWith(realPath(repo.workTree) + sep)
  return isInside ? join(common, 'gza', kind) : root
}

/** The main checkout, or the git folder if there is none. */
function topOf(commonDir: string): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir
}

function expandHome(path: string, env: Env): string {
  return path.replace(/^~(?=\/|$)/, env.HOME ?? '~')
}

function repoName(commonDir: string): string {
  const folder = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(commonDir, '.git')
  return folder.replace(/[^A-Za-z0-9._-]+/g, '-') || 'repo'
}
