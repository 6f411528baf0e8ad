import { dirname, join } from 'node:path'
import { fileExists, removeFolder } from '../../platform/files.ts'
import type { Repo } from '../../platform/find-repo.ts'
import { type GitPlace, runGit, tryGit } from '../../platform/git.ts'
import { inspectFile, realPath, removeEmptyFolder } from '../../platform/inspect-file.ts'
import type { Workplace } from '../workplace.ts'
import { findUnfinished, openWorkTree } from './astray.ts'
import { adminFolder, discardHalfMade, isHalfMade, whileHalfMade } from './half-made.ts'
import { own, placeAt } from './place.ts'
import { hiddenIn, listUncommitted, readIndex } from './uncommitted.ts'
import { listWorktrees, type Worktree } from './worktrees.ts'

/** Removes a work tree of which nothing would be lost; any doubt keeps it. */
export function removeWorkplace(repo: Repo, { path: asked }: Pick<Workplace, 'path'>): 'removed' | 'kept' {
  const path = realPath(asked)
  const worktree = listWorktrees(repo).find((each) => each.path === path)
  if (!worktree) return inspectFile(path) === null ? 'removed' : 'kept'
  const folder = adminFolder(repo, path)
  if (folder !== null && isHalfMade(folder)) {
    discardHalfMade(repo, path)
    return 'removed'
  }
  if (folder === null || worktree.lock !== null || !isHeld(repo, worktree)) return 'kept'
  if (inspectFile(path) !== null && !isClean(repo, path)) return 'kept'
  return whileHalfMade(folder, () => remove(path, folder))
}

/** What it has checked out can be reached without it. */
function isHeld(repo: Repo, { head, branch }: Worktree): boolean {
  if (branch !== null) return true
  const holders = ['for-each-ref', '--count=1', `--contains=${head}`, 'refs/heads/', 'refs/remotes/', 'refs/tags/']
  return tryGit(repo, own(...holders)).stdout.length > 0
}

/** Nothing in it would be lost. */
function isClean(repo: Repo, path: string): boolean {
  const workTree = openWorkTree(repo, path)
  if (workTree === null || findUnfinished(workTree) !== null) return false
  const place = placeAt(repo, path)
  const index = readIndex(place)
  if (listUncommitted(place).length > 0 || hiddenIn(place, index).length > 0) return false
  if (holdsArtifacts(place) || fileExists(join(workTree.gitDir, 'modules'))) return false
  const submodules = index.filter(({ mode }) => mode === '160000')
  return submodules.every((each) => !fileExists(join(path, each.path, '.git')))
}

function holdsArtifacts(place: GitPlace): boolean {
  if (!fileExists(join(place.dir, '.gza'))) return false
  const flags = ['--others', '--ignored', '--exclude-standard', '-z']
  return runGit(place, own('ls-files', ...flags, '--', '.gza')).length > 0
}

/**
 * As `git worktree remove` does it, and in its order, but without its own look for changes, which sees less than ours: the
 * files, what git knows of them, and the folder of all such knowledge where it was the last.
 */
function remove(path: string, folder: string): 'removed' | 'kept' {
  try {
    removeFolder(path)
    removeFolder(folder)
    removeEmptyFolder(dirname(folder))
    return 'removed'
  } catch {
    return 'kept'
  }
}
