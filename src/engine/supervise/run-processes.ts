import type { ProcessId } from '../../platform/processes/process-entry.ts'
import { becomeSubreaper } from '../../platform/processes/subreaper.ts'
import { endTree } from './end-tree.ts'
import { watchTree } from './run-tree.ts'

/** The living processes of a run whose supervisor is gone, the oldest first. */
export function findMarked(marker: string): ProcessId[] {
  return watchTree(marker, null)
    .look()
    .sort((a, b) => a.startedAt - b.startedAt || a.pid - b.pid)
}

/** Ends the processes of a run whose supervisor is gone, and returns how many could not be ended. */
export async function endMarked(marker: string, graceMs = 2000): Promise<number> {
  // Orphans become our children only if we are their subreaper. No other process reads their status.
  await becomeSubreaper()
  return endTree(watchTree(marker, null), graceMs)
}
