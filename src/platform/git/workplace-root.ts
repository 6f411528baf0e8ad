import { createHash } from 'node:crypto'
import { basename, dirname, join, sep } from 'node:path'
import { realPath } from '../files/inspect-file.ts'
import { userStateFolder } from '../files/user-folders.ts'
import type { Repo } from './find-repo.ts'
import type { Env } from './git.ts'

/** The folder of all worktrees that gza makes for a repository. It is the same for all its checkouts. */
export function workplaceRoot(repo: Repo, env: Env): string {
  const key = JSON.stringify([repo.commonDir, repo.workTree, env.XDG_STATE_HOME, env.HOME])
  const root = roots.get(key) ?? findRoot(repo, env)
  roots.set(key, root)
  return root
}

/** A cache: it is needed at every step of a run and never changes during a process. */
const roots = new Map<string, string>()

function findRoot(repo: Repo, env: Env): string {
  const common = realPath(repo.commonDir)
  const hash = createHash('sha256').update(common).digest('hex').slice(0, 8)
  const name = `${repoName(common)}-${hash}`
  const root = join(realPath(userStateFolder(env)), 'worktrees', name)
  // If the home folder is itself a repository, it would show the worktrees as untracked.
  const isInside = repo.workTree !== null && root.startsWith(realPath(repo.workTree) + sep)
  return isInside ? join(common, 'gza', 'worktrees') : root
}

function repoName(commonDir: string): string {
  const folder = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(commonDir, '.git')
  return folder.replace(/[^A-Za-z0-9._-]+/g, '-') || 'repo'
}
