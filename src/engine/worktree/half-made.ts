import { basename, join, resolve } from 'node:path'
import { fileExists, readTextIfThere, removeFile, writeText } from '../../platform/files/files.ts'
import { removeEmptyFolder } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGit } from '../../platform/git/git.ts'
import { own } from './place.ts'

/**
 * Git locks a worktree as `initializing` while it creates it. gza adds a mark while it merges into a new worktree or
 * removes a clean one. A worktree with the lock or the mark contains nobody's work, and its missing files do not count
 * as deleted.
 */
const MARK = 'gza-half-made'

/** `folder`: git's own folder for the worktree. */
export function isHalfMade(folder: string): boolean {
  return fileExists(join(folder, MARK)) || readTextIfThere(join(folder, 'locked'))?.trim() === 'initializing'
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
  runGit(repo, own('worktree', 'remove', '--force', '--force', path))
}

/** Git names its folder for a worktree after the path, with a number if the name is taken. */
export function adminFolder(repo: Repo, path: string): string | null {
  for (let number = 0; number < 100; number++) {
    const folder = join(repo.commonDir, 'worktrees', `${basename(path)}${number || ''}`)
    const target = readTextIfThere(join(folder, 'gitdir'))?.trimEnd()
    if (target && resolve(folder, target) === join(path, '.git')) return folder
  }
  return null
}

/** Writes the `.git` file of a worktree again if it is missing. */
export function restoreLink(repo: Repo, path: string): void {
  const folder = adminFolder(repo, path)
  if (folder !== null && !fileExists(join(path, '.git'))) writeText(join(path, '.git'), `gitdir: ${folder}\n`)
}
