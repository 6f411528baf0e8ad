import type { ProcessId } from '../../platform/process-tree.ts'
import { becomeSubreaper } from '../../platform/subreaper.ts'
import { endTree } from './end-tree.ts'
import { watchTree } from './run-tree.ts'

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
