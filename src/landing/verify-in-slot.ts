import { portRange } from '../core/config/port-range.ts'
import { whileLocked } from '../runs/slots/locks.ts'
import { takeSlotNumber } from '../runs/slots/slot-number.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { RedTree } from './build/land-batch.ts'
import type { LandPlace } from './build/land-place.ts'
import { hasChecks, type TreeCheck, verifyTree } from './build/verify-tree.ts'

/** Verifies a tree beside running tasks: with a number and ports of its own, and after it has the locks of checks. */
export async function verifyInSlot(
  ws: Workspace,
  place: LandPlace,
  commit: string,
  check: TreeCheck,
): Promise<RedTree | null> {
  const { verify, worktree, env, marker, cancel } = check
  if (!hasChecks(check)) return verifyTree(place, commit, check)
  const slot = takeSlotNumber(ws.env, portRange(worktree.ports), marker)
  const run = () => verifyTree(place, commit, { ...check, env: { ...env, ...slot.env } })
  try {
    return await whileLocked(ws, { names: verify.locks, holder: marker, cancel }, run)
  } finally {
    slot.release()
  }
}
