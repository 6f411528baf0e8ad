/** What a remote lacks of the ledgers here, as far as this clone knows. Nothing here contacts a remote. */
import { join } from 'node:path'
import { UserError } from '../core/user-error.ts'
import { readTextIfThere } from '../platform/files/files.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { runGit } from '../platform/git/git.ts'
import { listRefs } from '../platform/git/refs.ts'
import { defaultRemote, knownTips } from './remote.ts'

export interface Unsynced {
  remote: string
  /** How many changes the remote did not have when it was last contacted. */
  changes: number
  /** No ledger is here, and none was ever exchanged: the remote may have tasks that nobody fetched. */
  isFresh: boolean
}

/** Null: there is no remote, or it is unclear which one is meant. */
export function readUnsynced(repo: Repo, branch: string | null): Unsynced | null {
  const remote = remoteOf(repo, branch)
  if (remote === null) return null
  const ledgers = listRefs(repo, 'refs/tasks/')
  const known = knownTips(repo, remote)
  const newer = [...ledgers.values()].filter((tip) => !known.has(tip))
  const range = [...newer, ...[...known].map((tip) => `^${tip}`), '']
  const count = newer.length === 0 ? 0 : Number(runGit(repo, ['rev-list', '--count', '--stdin'], range.join('\n')))
  return { remote, changes: count, isFresh: ledgers.size === 0 && known.size === 0 }
}

/** The remote of a clone that has no ledger and never exchanged one; null otherwise. */
export function remoteOfFreshClone(repo: Repo, branch: string | null): string | null {
  const unsynced = readUnsynced(repo, branch)
  return unsynced?.isFresh ? unsynced.remote : null
}

function remoteOf(repo: Repo, branch: string | null): string | null {
  // Saves the processes in the many repositories without a remote.
  if (!readTextIfThere(join(repo.commonDir, 'config'))?.includes('[remote ')) return null
  try {
    return defaultRemote(repo, branch)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}
