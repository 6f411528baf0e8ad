import { removeUnreadable } from '../engine/worktree/remove-unreadable.ts'
import { workplaceRoot } from '../platform/git/workplace-root.ts'
import { leasesByLife } from '../state/live/leases.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Every worktree of gza is made under a lease, so one that no living process holds was left by a dead one. */
export async function clearDeadWorktrees(ws: Workspace): Promise<void> {
  const isHeld = (path: string) =>
    ws.live !== null && leasesByLife(ws.live, ws.now()).held.some((lease) => lease.path === path)
  await removeUnreadable(ws.repo, { root: workplaceRoot(ws.repo, ws.env), isHeld })
}
