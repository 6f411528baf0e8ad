import { basename, join, resolve } from 'node:path'
import { fileExists, readTextIfThere, removeFile, writeText } from '../../platform/files/files.ts'
import { removeEmptyFolder } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGit } from '../../platform/git/git.ts'
import { own } from './place.ts'

/**
 * Git locks a work tree as `initializing` while it lays it out; we put a file beside that lock while we merge in a new
 * one, and while we remove one that is clean. One with such a mark is nobody's work: a crash left it, and what it lacks
 * must not be taken for deleted by an agent.
 */
const MARK = 'gza-half-made'

/** `folder`: where git keeps what it knows of the work tree. */
export function isHalfMade(folder: string): boolean {
  return fileExists(join(folder, MARK)) || readTextIfThere(join(folder, 'locked'))?.trim() === 'initializing'
}

/** Calls `change`; should we die meanwhile, the mark stays. */
export async function whileHalfMade<T>(folder: string | null, change: () => T | Promise<T>): Promise<T> {
  if (folder === null) throw new Error('git keeps no folder for this work tree')
  writeText(join(folder, MARK), '')
  const result = await change()
  removeFile(join(folder, MARK))
  return result
}

/** Removes a work tree that is half-made, and nothing else. */
export function discardHalfMade(repo: Repo, path: string): void {
  if (!removeEmptyFolder(path)) restoreLink(repo, path)
  runGit(repo, own('worktree', 'remove', '--force', '--force', path))
}

/** Git names its own folder for a work tree after the path, with a number where that clashed. */
export function adminFolder(repo: Repo, path: string): string | null {
  for (let number = 0; number < 100; number++) {
    const folder = join(repo.commonDir, 'worktrees', `${basename(path)}${number || ''}`)
    const target = readTextIfThere(join(folder, 'gitdir'))?.trimEnd()
    if (target && resolve(folder, target) === join(path, '.git')) return folder
  }
  return null
}

/** Writes the `.git` of a work tree again where it is gone. */
export function restoreLink(repo: Repo, path: string): void {
  const folder = adminFolder(repo, path)
  if (folder !== null && !fileExists(join(path, '.git'))) writeText(join(path, '.git'), `gitdir: ${folder}\n`)
}
