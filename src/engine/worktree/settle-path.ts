import { UserError } from '../../core/user-error.ts'
import { inspectFile, removeEmptyFolder } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { adminFolder } from '../../platform/git/worktree-folder.ts'
import { forgetForeignWorktree, listWorktrees, openWorkTree, type Worktree } from '../../platform/git/worktrees.ts'
import { discardHalfMade, isHalfMade } from './half-made.ts'
import { removeWorkplace } from './remove.ts'
import { clearStaleLocks } from './stale-locks.ts'
import { findFault } from './worktree-fault.ts'
import { restoreLink } from './worktree-link.ts'

/**
 * Brings a path into one of two states: it has the branch's own worktree, or it is free. What a crash left is
 * repaired. What may be somebody's work is never overwritten: an error names it.
 */
export async function settlePath(repo: Repo, path: string, branch: string): Promise<'there' | 'free'> {
  const worktrees = listWorktrees(repo)
  const here = worktrees.find((each) => each.path === path)
  const elsewhere = worktrees.find((each) => each.branch === branch && each.path !== path)
  if (elsewhere && !forgetForeignWorktree(repo, elsewhere.path)) throw checkedOutElsewhere(branch, elsewhere.path)
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
  // Git treats an empty folder as if it did not exist.
  if (inspectFile(path) === null || removeEmptyFolder(path)) return 'free'
  throw new UserError('PATH_TAKEN', `${path} is in the way: it is not a worktree of this repository`, {
    hint: 'Look at its content and move it to another place.',
  })
}

async function takeOver(repo: Repo, { path, branch: checkedOut }: Worktree, branch: string): Promise<'there' | 'free'> {
  const workTree = openWorkTree(repo, path)
  const fault = findFault(workTree, branch)
  // A merge or cherry-pick keeps the branch checked out, and the next run can finish it. A rebase does not.
  const isOnBranch = fault === null || (fault.kind === 'unfinished' && checkedOut === branch)
  if (workTree !== null && isOnBranch) {
    clearStaleLocks(workTree, branch)
    return 'there'
  }
  if ((await removeWorkplace(repo, { path })) === 'removed') return 'free'
  throw new UserError('WORKPLACE_ASTRAY', `The worktree ${path} is not on its branch ${branch}`, {
    hint: 'It contains work that is on no branch. Commit it to a branch, or finish what is in progress there.',
  })
}

/** The folder was deleted by hand. Removes only this entry; `worktree prune` would remove others too. */
async function forget(repo: Repo, { path, lock }: Worktree): Promise<'free'> {
  if ((await removeWorkplace(repo, { path })) === 'removed') return 'free'
  const why = lock === null ? 'had commits that are on no branch' : 'is locked'
  throw new UserError('WORKPLACE_GONE', `The worktree ${path} no longer exists, and it ${why}`, {
    hint: 'git worktree list shows it. Create a branch at its commit, or unlock it.',
  })
}

function checkedOutElsewhere(branch: string, path: string): UserError {
  return new UserError('BRANCH_CHECKED_OUT', `Branch ${branch} is checked out at ${path}`, {
    hint: 'Switch that checkout to another branch, then run the command again.',
  })
}
