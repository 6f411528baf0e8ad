import { removePrivateGitNow } from '../engine/isolation/private-git/remove.ts'
import { fileExists } from '../platform/files/files.ts'
import { markedBy } from '../platform/git/own-git.ts'
import { dropThrowAway } from '../platform/git/throw-away.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { keepShowingLife } from '../runs/keep-showing-life.ts'
import { newRun, thisWorker } from '../runs/new-run.ts'
import { retireRun } from '../runs/retire-run.ts'
import type { BASE_CHECK } from '../runs/watch/dead-runs.ts'
import { closeWindowsAfterCrash } from '../runs/watch/guard-surroundings.ts'
import { isHeld, type Lease, landingLease, leaseOf, releaseLease, takeLease } from '../state/live/leases.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { landPath } from './build/land-place.ts'

/** The right to land on a base, which one process of a clone has at a time. */
export interface LandLease {
  lease: Lease
  path: string
}

/**
 * Null: another process is landing there. First ends the processes that a dead one has left running. `holder`: what it
 * is called if it dies in turn.
 */
export async function takeLandLease(
  ws: Workspace,
  base: string,
  holder: 'landing' | typeof BASE_CHECK = 'landing',
): Promise<LandLease | null> {
  closeWindowsAfterCrash(ws)
  const path = landPath(ws.repo, ws.env, base)
  const now = ws.now()
  const about = { ledger: ws.ledger, run: newRun(ws, now), holder, machine: ws.machine, expires_at: null }
  const place = { head: null, branch: null, path, taken_at: now }
  const taken = takeLease(liveOf(ws), { uid: landingLease(base), ...about, ...thisWorker(), ...place }, { now })
  if (taken === null) return null
  keepShowingLife(ws)
  if (taken.from !== null) await retireRun(ws, taken.from)
  passStep(ws.env, 'land-locked')
  return { lease: taken.lease, path }
}

/** Whether another process is landing there. */
export function isLandLeaseHeld(ws: Workspace, base: string): boolean {
  const lease = ws.live === null ? null : leaseOf(ws.live, landingLease(base))
  return lease?.released_at === null && isHeld(lease, ws.now())
}

/** `keepsPlace`: the caller will land again soon, so it keeps the checkout and drops it at the end. */
export function releaseLandLease(
  ws: Workspace,
  { lease, path }: LandLease,
  { keepsPlace = false }: { keepsPlace?: boolean } = {},
): void {
  if (!keepsPlace) {
    dropThrowAway(markedBy(ws.repo, lease.run), path)
    removePrivateGitNow(ws.repo, path)
  }
  releaseLease(liveOf(ws), lease.uid, lease.token, ws.now())
  passStep(ws.env, 'land-released')
}

/** Removes a checkout that was kept, unless another process is landing in it; that process removes it. */
export async function dropLandPlace(ws: Workspace, base: string): Promise<void> {
  if (!fileExists(landPath(ws.repo, ws.env, base))) return
  const lease = await takeLandLease(ws, base)
  if (lease !== null) releaseLandLease(ws, lease)
}
