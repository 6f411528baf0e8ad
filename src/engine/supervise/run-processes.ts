import type { GitPlace } from '../../platform/git/git.ts'
import type { ProcessId } from '../../platform/processes/process-entry.ts'
import { becomeSubreaper } from '../../platform/processes/subreaper.ts'
import { endTree } from './end-tree.ts'
import { watchTree } from './run-tree.ts'

/**
 * For git processes that gza itself starts in a run's worktree: they survive gza, and a restart must find and end them.
 * Not for ledgers: own-steps.ts recognizes gza's steps by the `Repo` object.
 */
export function markedBy<T extends GitPlace>(place: T, marker: string): T {
  return { ...place, env: { ...place.env, GZA_RUN: marker } }
}

/** The living processes of a run whose supervisor is gone. */
export function findMarked(marker: string): ProcessId[] {
  return watchTree(marker, null).look()
}

/** Ends the processes of a run whose supervisor is gone, and returns how many could not be ended. */
export async function endMarked(marker: string, graceMs = 2000): Promise<number> {
  // Orphans become our children only if we are their subreaper. No other process reads their status.
  await becomeSubreaper()
  return endTree(watchTree(marker, null), graceMs)
}
