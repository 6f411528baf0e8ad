import type { VerifySettings } from '../../core/config/settings.ts'
import { checkWork } from '../../engine/check/check-work.ts'
import { guardEnvironment } from '../../engine/guard/guard-environment.ts'
import type { Env } from '../../platform/git/git.ts'
import type { RedTree } from './land-batch.ts'
import type { LandPlace } from './land-place.ts'

export interface TreeCheck {
  verify: VerifySettings
  env: Env
  binary: string
  /** Identifies the processes of the check, so that they can be found if gza dies. */
  marker: string
  cancel: AbortSignal
}

/** Null if the checked-out tree is green. Without a configured command, a tree that could be built is green. */
export async function verifyTree(place: LandPlace, commit: string, check: TreeCheck): Promise<RedTree | null> {
  const { verify, env, binary, marker, cancel } = check
  if (cancel.aborted) return { detail: 'was stopped', isCancelled: true }
  if (verify.command === null) return null
  const report = await checkWork({
    path: place.dir,
    commit,
    filesToCreate: [],
    testFiles: [],
    testCommand: null,
    command: verify.command,
    timeoutMs: verify.timeout_minutes * 60_000,
    // The verified code was written by agents, so it runs under the guard as they do.
    env: await guardEnvironment(env, { repo: place.repo, binary, run: marker, agent: 'landing' }),
    marker,
    cancel,
  })
  if (report.failure === null) return null
  return { detail: report.failure.detail, isCancelled: report.failure.what === 'cancelled' }
}
