import type { Config } from '../core/config/settings.ts'
import { BASE_CHECK } from '../runs/watch/dead-runs.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { recordBaseCheck } from './base-checks.ts'
import { layOutLandPlace } from './build/land-place.ts'
import { landBase } from './land-base.ts'
import { releaseLandLease, takeLandLease } from './land-lease.ts'
import type { BaseCheck, BuildCheck, CheckWatcher } from './land-report.ts'
import { treeCheck } from './tree-check.ts'
import { verifyInSlot } from './verify-in-slot.ts'

/** Checks the base in a separate checkout. Null if this was stopped, or if another process is landing there. */
export async function verifyBase(ws: Workspace, config: Config, cancel: AbortSignal): Promise<BuildCheck | null> {
  const base = landBase(ws)
  const lease = await takeLandLease(ws, base.name, BASE_CHECK)
  if (lease === null) return null
  try {
    const marker = lease.lease.run
    const place = layOutLandPlace(ws.repo, lease.path, { commit: base.tip, marker })
    const check = await treeCheck(ws, config, { marker, cancel })
    const red = await verifyInSlot(ws, place, base.tip, check)
    if (red?.isCancelled) return null
    recordBaseCheck(ws, config, base, red?.detail ?? null)
    return { base: base.name, commit: base.tip, ok: red === null, detail: red?.detail ?? '' }
  } finally {
    releaseLandLease(ws, lease)
  }
}

/** Reports that the check begins, and how it ended. Nothing is reported of one that was stopped. */
export async function announceCheck<Result extends { commit: string }>(
  watcher: CheckWatcher | undefined,
  check: BaseCheck,
  { perform, isGreen }: { perform: () => Promise<Result | null>; isGreen: (result: Result) => boolean },
): Promise<Result | null> {
  const began = performance.now()
  watcher?.checking(check)
  const result = await perform()
  if (result !== null)
    // The base may have moved meanwhile.
    watcher?.checked({ ...check, commit: result.commit }, isGreen(result), (performance.now() - began) / 1000)
  return result
}
