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
  /** By this the processes of the check are found, should we die. */
  marker: string
  cancel: AbortSignal
}

/** Is the tree that is checked out green? Where nothing is configured, that it could be built is all there is to ask. */
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
    // What is verified was written by agents: it runs under the guard like them.
    env: await guardEnvironment(env, { repo: place.repo, binary, run: marker, agent: 'landing' }),
    marker,
    cancel,
  })
  if (report.failure === null) return null
  return { detail: report.failure.detail, isCancelled: report.failure.what === 'cancelled' }
}
