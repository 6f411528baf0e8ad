import { join } from 'node:path'
import { makeTemporaryFolder, removeFile, removeFolder } from '../../platform/files/files.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit } from '../../platform/git/own-git.ts'
import { type Change, isNew, isOurs, listUncommittedNow } from '../../platform/git/uncommitted.ts'

/**
 * Commits everything that is uncommitted in a worktree to a ref of its own, and makes the worktree clean. The index is
 * a temporary one until the ref exists, so that nothing is lost if this is interrupted. A nested repository stays.
 */
export function setChangesAside(place: GitPlace, to: Aside): void {
  const changes = listUncommittedNow(place).filter(isSetAside)
  if (changes.length === 0) return
  commitAside(place, changes, to)
  putBack(place, changes)
}

interface Aside {
  ref: string
  message: string
}

export function isSetAside(change: Change): boolean {
  return !isOurs(change) && !change.path.endsWith('/')
}

export function commitAside(place: GitPlace, changes: readonly Change[], { ref, message }: Aside): void {
  const head = runOwnGit(place, ['rev-parse', 'HEAD']).toString().trim()
  const commit = runOwnGit(place, ['commit-tree', treeOf(place, head, changes), '-p', head, '-F', '-'], `${message}\n`)
  runOwnGit(place, ['update-ref', '--create-reflog', '-m', 'gza: set aside', ref, commit.toString().trim()])
}

function treeOf(place: GitPlace, head: string, changes: readonly Change[]): string {
  const folder = makeTemporaryFolder('gza-index')
  const apart = { ...place, env: { ...place.env, GIT_INDEX_FILE: join(folder, 'index') } }
  try {
    runOwnGit(apart, ['read-tree', head])
    runOwnGit(apart, ['update-index', '--add', '--remove', '-z', '--stdin'], list(changes))
    return runOwnGit(apart, ['write-tree']).toString().trim()
  } finally {
    removeFolder(folder)
  }
}

/** Makes the worktree clean. */
export function putBack(place: GitPlace, changes: readonly Change[]): void {
  const given = ['--pathspec-from-file=-', '--pathspec-file-nul']
  const added = changes.filter(isNew)
  const staged = added.filter(({ state }) => state !== '??')
  if (staged.length > 0) runOwnGit(place, ['reset', '--quiet', ...given], list(staged))
  for (const { path } of added) removeFile(join(place.dir, path))
  const tracked = changes.filter((change) => !isNew(change))
  if (tracked.length > 0)
    runOwnGit(place, ['restore', '--source=HEAD', '--staged', '--worktree', ...given], list(tracked))
}

function list(changes: readonly Change[]): string {
  return changes.map(({ path }) => `${path}\0`).join('')
}
