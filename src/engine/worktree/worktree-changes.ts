import type { Repo } from '../../platform/git/find-repo.ts'
import { readHead } from '../../platform/git/refs.ts'
import { withoutFilters } from '../../platform/git/settings/without-filters.ts'
import { isOurs, listUncommittedNow } from '../../platform/git/uncommitted.ts'
import { openWorkTree } from '../../platform/git/worktrees.ts'
import { findBase } from './commit-history.ts'
import { changedFilesNow } from './workplace.ts'

/**
 * The files changed in a worktree so far, committed or not, compared with the commits (`sources`) that it builds on.
 */
export function filesTouched(repo: Repo, path: string, sources: readonly string[]): string[] {
  try {
    const workTree = openWorkTree(repo, path)
    if (workTree === null) return []
    const head = readHead(workTree).oid
    const committed = head === null ? [] : changedFilesNow(repo, findBase(repo, head, sources), head)
    const left = listUncommittedNow(withoutFilters(repo, path)).filter((change) => !isOurs(change))
    return [...new Set([...committed, ...left.map((change) => change.path)])]
  } catch {
    // It is being created or removed at this moment, so nobody works in it.
    return []
  }
}

/** Its commit and its uncommitted changes, to be compared with a later call; null if there is no worktree. */
export function placeNow(repo: Repo, path: string): string | null {
  try {
    const workTree = openWorkTree(repo, path)
    if (workTree === null) return null
    const left = listUncommittedNow(withoutFilters(repo, path)).filter((change) => !isOurs(change))
    return [readHead(workTree).oid, ...left.map((change) => change.path)].join('\n')
  } catch {
    return null
  }
}
