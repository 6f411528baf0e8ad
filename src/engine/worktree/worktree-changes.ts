import { removePipes } from '../../platform/files/untrusted/remove-pipes.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readHead } from '../../platform/git/refs.ts'
import { withoutFilters } from '../../platform/git/settings/without-filters.ts'
import { type Change, isOurs, listUncommittedNow } from '../../platform/git/uncommitted.ts'
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
    const left = leftIn(repo, path)
    return [...new Set([...committed, ...left.map((change) => change.path)])]
  } catch {
    // It is being created or removed at this moment, so nobody works in it; or git took too long.
    return []
  }
}

/** Its commit and its uncommitted changes, to be compared with a later call; null if there is no worktree. */
export function placeNow(repo: Repo, path: string): string | null {
  try {
    const workTree = openWorkTree(repo, path)
    if (workTree === null) return null
    const left = leftIn(repo, path)
    return [readHead(workTree).oid, ...left.map((change) => change.path)].join('\n')
  } catch {
    return null
  }
}

/** An agent may be at work there, and may have made a pipe for which git would wait. */
function leftIn(repo: Repo, path: string): Change[] {
  try {
    const place = { ...withoutFilters(repo, path), limitMs: LIMIT_MS }
    return listUncommittedNow(place).filter((change) => !isOurs(change))
  } catch (error) {
    void removePipes(path)
    throw error
  }
}

const LIMIT_MS = 5000
