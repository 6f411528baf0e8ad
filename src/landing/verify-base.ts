import type { Config } from '../core/config/settings.ts'
import { BASE_CHECK } from '../runs/watch/dead-runs.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { recordBaseCheck } from './base-checks.ts'
import { layOutLandPlace } from './build/land-place.ts'
import { landBase } from './land-base.ts'
import { releaseLandLease, takeLandLease } from './land-lease.ts'
import type { BaseCheck, BuildCheck, CheckWatcher } from './land-report.ts'
import { whileShown } from './progress/landing-check.ts'
import { compareOutside } from './red-in-box.ts'
import { treeCheck } from './tree-check.ts'
import { verifyInSlot } from './verify-in-slot.ts'

/**
 * Checks the base in a separate checkout. Null if this was stopped, or if another process is landing there. `earlier`: a
 * check shortly before. If it has found that the same commit fails only in a box, that is not looked at again.
 */
export async function verifyBase(
  ws: Workspace,
  config: Config,
  cancel: AbortSignal,
  earlier: BuildCheck | null = null,
): Promise<BuildCheck | null> {
  const base = landBase(ws)
  const lease = await takeLandLease(ws, base.name, BASE_CHECK)
  if (lease === null) return null
  try {
    const marker = lease.lease.run
    const check = await treeCheck(ws, config, { marker, cancel })
    const place = layOutLandPlace(ws.repo, lease.path, { commit: base.tip, marker })
    const inBox = earlier?.commit === base.tip ? earlier.in_box : null
    const about = { config, place, commit: base.tip, check }
    const red = await whileShown(ws, lease, { base: base.name, verifying: [], suspects: [] }, async () => {
      const found = await verifyInSlot(ws, place, base.tip, check)
      return found === null ? null : inBox ? { ...found, inBox } : compareOutside(ws, { ...about, red: found })
    })
    if (red?.isCancelled) return null
    const failure = red && { detail: red.detail, in_box: red.inBox ?? null }
    recordBaseCheck(ws, config, base, failure)
    return {
      ...{ base: base.name, commit: base.tip, ok: red === null },
      ...(failure ?? { detail: '', in_box: null }),
      failed_outside: red?.failedOutside ?? false,
    }
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
