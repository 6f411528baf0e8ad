import { UserError } from '../../core/user-error.ts'
import { inspectFile, removeEmptyFolder } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { findAstray, openWorkTree } from './astray.ts'
import { adminFolder, discardHalfMade, isHalfMade, restoreLink } from './half-made.ts'
import { removeWorkplace } from './remove.ts'
import { clearStaleLocks } from './stale-locks.ts'
import { listWorktrees, type Worktree } from './worktrees.ts'

/**
 * Brings a path to one of two states: the branch's own work tree is there, or nothing is. What a crash left is mended;
 * what may be somebody's work is refused with its name, never overwritten.
 */
export async function settlePath(repo: Repo, path: string, branch: string): Promise<'there' | 'free'> {
  const worktrees = listWorktrees(repo)
  const here = worktrees.find((each) => each.path === path)
  const elsewhere = worktrees.find((each) => each.branch === branch && each.path !== path)
  if (elsewhere) throw checkedOutElsewhere(branch, elsewhere.path)
  if (!here) return isFree(path)
  if (isHalfMade(adminFolder(repo, path) ?? '')) {
    discardHalfMade(repo, path)
    return 'free'
  }
  if (inspectFile(path) === null) return forget(repo, here)
  restoreLink(repo, path)
  return takeOver(repo, here, branch)
}

function isFree(path: string): 'free' {
  // Git takes an empty folder as if it were not there.
  if (inspectFile(path) === null || removeEmptyFolder(path)) return 'free'
  throw new UserError('PATH_TAKEN', `${path} is in the way: it is no work tree of this repository`, {
    hint: 'Look at what is in it and move it to another place.',
  })
}

async function takeOver(repo: Repo, { path, branch: checkedOut }: Worktree, branch: string): Promise<'there' | 'free'> {
  const workTree = openWorkTree(repo, path)
  const astray = findAstray(workTree, branch)
  // A merge or cherry-pick leaves the branch checked out, and whoever goes on can finish it; a rebase does not.
  const isOnBranch = astray === null || (astray.kind === 'unfinished' && checkedOut === branch)
  if (workTree !== null && isOnBranch) {
    clearStaleLocks(workTree, branch)
    return 'there'
  }
  if ((await removeWorkplace(repo, { path })) === 'removed') return 'free'
  throw new UserError('WORKPLACE_ASTRAY', `The work tree ${path} is not on its branch ${branch}`, {
    hint: 'There is work in it that no branch has. Commit it to a branch, or finish what is half-done there.',
  })
}

/** The folder was deleted by hand; only this one entry goes, where `worktree prune` would take others' along. */
async function forget(repo: Repo, { path, lock }: Worktree): Promise<'free'> {
  if ((await removeWorkplace(repo, { path })) === 'removed') return 'free'
  const why = lock === null ? 'was on commits that no branch has' : 'is locked'
  throw new UserError('WORKPLACE_GONE', `The work tree ${path} is gone, and it ${why}`, {
    hint: 'git worktree list shows it. Put a branch on its commit, or unlock it.',
  })
}

function checkedOutElsewhere(branch: string, path: string): UserError {
  return new UserError('BRANCH_CHECKED_OUT', `Branch ${branch} is checked out at ${path}`, {
    hint: 'Switch that checkout to another branch, then run the command again.',
  })
}
