import type { GitPlace } from '../../platform/git/git.ts'
import type { ProcessId } from '../../platform/processes/process-entry.ts'
import { becomeSubreaper } from '../../platform/processes/subreaper.ts'
import { endTree } from './end-tree.ts'
import { watchTree } from './run-tree.ts'

/**
 * For what gza itself does in a run's work tree: git goes on when gza is killed, and a restart must find it before it
 * looks. Not for ledgers: the steps that gza took on them are known by the very object of the repository.
 */
export function markedBy<T extends GitPlace>(place: T, marker: string): T {
  return { ...place, env: { ...place.env, GZA_RUN: marker } }
}

/** The living processes of a run whose supervisor is gone. */
export function findMarked(marker: string): ProcessId[] {
  return watchTree(marker, null).look()
}

/** Ends the processes of a run whose supervisor is gone, and returns how many are left: none. */
export async function endMarked(marker: string, graceMs = 2000): Promise<number> {
  // What dies with its parent comes to us, if we are there for it; nobody else would take its status.
  await becomeSubreaper()
  return endTree(watchTree(marker, null), graceMs)
}
