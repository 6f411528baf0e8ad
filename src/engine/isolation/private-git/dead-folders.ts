import { fileExists, listFolders } from '../../../platform/files/files.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { privateGitRoot } from '../../../platform/git/workplace-root.ts'
import { besideFolder, openPrivateGit, type PrivateGit, privateFolder } from './private-git.ts'
import { removePrivateGit } from './remove.ts'
import { whyNeeded } from './unimported.ts'

/**
 * Removes the private git folders that were left half made or whose worktree is gone, unless they contain work. `held`:
 * the worktrees in which somebody works now. They were made under a lease, so all others were left by a dead process.
 */
export function clearDeadFolders(repo: Repo, env: Env, held: readonly string[]): void {
  const folders = listFolders(privateGitRoot(repo, env))
  if (folders.length === 0) return
  const own = held.map((worktree) => privateFolder(repo, env, worktree))
  const busy = new Set([...own, ...own.map(besideFolder)])
  for (const folder of folders) if (!busy.has(folder) && isDead(openPrivateGit(folder))) removePrivateGit(repo, folder)
}

/** Without a branch it was that of a command, or of a temporary checkout. */
function isDead(git: PrivateGit | null): boolean {
  return git === null || git.about.branch === null || !fileExists(git.about.worktree)
}

/**
 * Those that contain work which no worktree and no branch has any more, or commits that were not imported although nobody
 * works in their worktree: this machine may have no box any more in which they can be read.
 */
export function strandedFolders(repo: Repo, env: Env, held: readonly string[]): PrivateGit[] {
  const busy = new Set(held.map((worktree) => privateFolder(repo, env, worktree)))
  return listFolders(privateGitRoot(repo, env)).flatMap((folder) => {
    const git = openPrivateGit(folder)
    if (git === null || busy.has(folder)) return []
    const why = whyNeeded(repo, git)
    const isAlone = !fileExists(git.about.worktree) || isSetAside(repo, env, git)
    return why === 'unimported' || (why !== null && isAlone) ? [git] : []
  })
}

function isSetAside(repo: Repo, env: Env, { folder, about }: PrivateGit): boolean {
  return folder !== privateFolder(repo, env, about.worktree)
}
