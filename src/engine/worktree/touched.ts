import type { Repo } from '../../platform/git/find-repo.ts'
import { readHead } from '../../platform/git/refs.ts'
import { openWorkTree } from './astray.ts'
import { findBase } from './commit-history.ts'
import { placeAt } from './place.ts'
import { isOurs, listUncommittedNow } from './uncommitted.ts'
import { changedFilesNow } from './workplace.ts'

/** What was changed in a work tree so far, committed or not, beyond the commits (`sources`) that it builds on. */
export function filesTouched(repo: Repo, path: string, sources: readonly string[]): string[] {
  try {
    const workTree = openWorkTree(repo, path)
    if (workTree === null) return []
    const head = readHead(workTree).oid
    const committed = head === null ? [] : changedFilesNow(repo, findBase(repo, head, sources), head)
    const left = listUncommittedNow(placeAt(repo, path)).filter((change) => !isOurs(change))
    return [...new Set([...committed, ...left.map((change) => change.path)])]
  } catch {
    // It is being made or taken away while we look: then nobody works in it.
    return []
  }
}

/** Where it stands and what lies uncommitted in it, to be compared with another look; null where there is none. */
export function placeNow(repo: Repo, path: string): string | null {
  try {
    const workTree = openWorkTree(repo, path)
    if (workTree === null) return null
    const left = listUncommittedNow(placeAt(repo, path)).filter((change) => !isOurs(change))
    return [readHead(workTree).oid, ...left.map((change) => change.path)].join('\n')
  } catch {
    return null
  }
}
