import { join } from 'node:path'
import { fileExists } from '../../platform/files/files.ts'
import { inspectFile, realPath } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { placeAt, runOwnGit, tryOwnGit, tryOwnGitAsync } from '../../platform/git/own-git.ts'
import { GITLINK, readIndex } from '../../platform/git/uncommitted.ts'
import { adminFolder } from '../../platform/git/worktree-folder.ts'
import { isOwnLock, listWorktrees, openWorkTree, unlockWorktree, type Worktree } from '../../platform/git/worktrees.ts'
import { readChanges } from '../isolation/agent-box/read-changes.ts'
import { removePrivateGitOf } from '../isolation/private-git/remove.ts'
import { hasUnkeptWork } from '../isolation/private-git/worktree-state.ts'
import { discardHalfMade, isHalfMade, whileHalfMade } from './half-made.ts'
import type { Workplace } from './workplace.ts'

/** Removes a worktree if nothing would be lost. In doubt it stays, without the lock of its run. */
export async function removeWorkplace(repo: Repo, { path: asked }: Pick<Workplace, 'path'>): Promise<End> {
  const path = realPath(asked)
  const end = hasUnkeptWork(repo, path) ? 'kept' : await removeIfEmpty(repo, path)
  if (end === 'kept') unlockWorktree(repo, path)
  else await removePrivateGitOf(repo, path)
  return end
}

type End = 'removed' | 'kept'

async function removeIfEmpty(repo: Repo, path: string): Promise<End> {
  const worktree = listWorktrees(repo).find((each) => each.path === path)
  if (!worktree) return inspectFile(path) === null ? 'removed' : 'kept'
  const folder = adminFolder(repo, path)
  if (folder !== null && isHalfMade(folder)) {
    discardHalfMade(repo, path)
    return 'removed'
  }
  const isLocked = worktree.lock !== null && !isOwnLock(worktree.lock)
  if (folder === null || isLocked || !isHeld(repo, worktree)) return 'kept'
  if (inspectFile(path) === null) return remove(repo, path)
  return (await holdsNothing(repo, path)) ? whileHalfMade(folder, () => remove(repo, path)) : 'kept'
}

/** The commit that it has checked out can be reached without it. */
function isHeld(repo: Repo, { head, branch }: Worktree): boolean {
  if (branch !== null) return true
  const holders = ['for-each-ref', '--count=1', `--contains=${head}`, 'refs/heads/', 'refs/remotes/', 'refs/tags/']
  return tryOwnGit(repo, holders).stdout.length > 0
}

/**
 * Whether nothing in it would be lost. Git's own check is weaker (it does not see changes in files that are marked as
 * unchanged, and it refuses every worktree whose commit has a submodule), so `--force` skips it after ours.
 */
async function holdsNothing(repo: Repo, path: string): Promise<boolean> {
  const workTree = openWorkTree(repo, path)
  if (workTree === null || workTree.unfinished !== null) return false
  const place = placeAt(repo, path)
  if (holdsArtifacts(place)) return false
  const [{ index, hidden }, changes] = await Promise.all([readIndex(place), readChanges(repo, path)])
  if (changes.length > 0 || hidden.length > 0) return false
  const submodules = index.filter(({ mode }) => mode === GITLINK)
  if (submodules.length > 0 && fileExists(join(workTree.gitDir, 'modules'))) return false
  return !submodules.some((each) => fileExists(join(path, each.path, '.git')))
}

function holdsArtifacts(place: GitPlace): boolean {
  if (!fileExists(join(place.dir, '.gza'))) return false
  const flags = ['--others', '--ignored', '--exclude-standard', '-z']
  return runOwnGit(place, ['ls-files', ...flags, '--', '.gza']).length > 0
}

/** `--force` twice, because of the lock. */
async function remove(repo: Repo, path: string): Promise<End> {
  const exit = await tryOwnGitAsync(repo, ['worktree', 'remove', '--force', '--force', path])
  return exit.code === 0 ? 'removed' : 'kept'
}
