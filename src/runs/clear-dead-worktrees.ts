import { clearDeadFolders } from '../engine/isolation/private-git/dead-folders.ts'
import { removeUnreadable } from '../engine/worktree/remove-unreadable.ts'
import { removeLeftLock } from '../engine/worktree/stale-locks.ts'
import { workplaceRoot } from '../platform/git/workplace-root.ts'
import { type Lease, leasesByLife } from '../state/live/leases.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { treeOf } from './slots/tree-of-lease.ts'

/**
 * Every worktree of gza is made under a lease, and so is its private git folder. One that no living process holds was
 * left by a dead one. A lock that would keep git from forgetting their refs goes first.
 */
export async function clearDeadWorktrees(ws: Workspace): Promise<void> {
  const removed = removeLeftLock(ws.repo)
  if (removed !== null) ws.warnings.push(removed)
  const held = (): Lease[] => (ws.live === null ? [] : leasesByLife(ws.live, ws.now()).held)
  const isHeld = (path: string) => held().some((lease) => lease.path === path)
  await removeUnreadable(ws.repo, { root: workplaceRoot(ws.repo, ws.env), isHeld })
  const paths = held().flatMap((lease) => lease.path ?? treeOf(lease) ?? [])
  clearDeadFolders(ws.repo, ws.env, paths)
}
