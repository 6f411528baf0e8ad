import { join } from 'node:path'
import { readTextsIn, removeFile, writeText } from '../../platform/files/files.ts'
import { removeEmptyFolder } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runOwnGit } from '../../platform/git/own-git.ts'
import { isInitializing } from '../../platform/git/worktrees.ts'
import { restoreLink } from './worktree-link.ts'

/**
 * Git locks a worktree as `initializing` while it creates it, until gza writes its own lock. gza adds a mark while it merges into a new worktree or
 * removes a clean one. A worktree with the lock or the mark contains nobody's work, and its missing files do not count
 * as deleted.
 */
const MARK = 'gza-half-made'

/** `folder`: git's own folder for the worktree. */
export function isHalfMade(folder: string): boolean {
  const [mark, lock] = readTextsIn(folder, [MARK, 'locked'])
  return mark !== null || isInitializing(lock ?? null)
}

/** Calls `change`. If gza dies meanwhile, the mark stays. */
export async function whileHalfMade<T>(folder: string | null, change: () => T | Promise<T>): Promise<T> {
  if (folder === null) throw new Error('git has no folder for this worktree')
  writeText(join(folder, MARK), '')
  const result = await change()
  removeFile(join(folder, MARK))
  return result
}

/** Removes a worktree that is half-made, and nothing else. */
export function discardHalfMade(repo: Repo, path: string): void {
  if (!removeEmptyFolder(path)) restoreLink(repo, path)
  runOwnGit(repo, ['worktree', 'remove', '--force', '--force', path])
}
