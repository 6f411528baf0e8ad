import type { ProcessId } from '../../platform/process-tree.ts'
import { endTree } from './end-tree.ts'
import { watchTree } from './run-tree.ts'

/** The living processes of a run whose supervisor is gone. */
export function findMarked(marker: string): ProcessId[] {
  return watchTree(marker, null).look()
}

/** Ends the processes of a run whose supervisor is gone, and returns how many are left: none. */
export function endMarked(marker: string, graceMs = 2000): Promise<number> {
  return endTree(watchTree(marker, null), graceMs)
}
