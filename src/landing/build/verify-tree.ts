import type { VerifySettings, WorktreeSettings } from '../../core/config/settings.ts'
import { checkWork } from '../../engine/check/check-work.ts'
import { type GuardWindow, openGuardWindow, type WindowOptions } from '../../engine/guard/guard-window.ts'
import { needsSetUp, setUpWorktree } from '../../engine/set-up/set-up-worktree.ts'
import { markedBy } from '../../platform/git/own-git.ts'
import type { RedTree } from './land-batch.ts'
import type { LandPlace } from './land-place.ts'

export interface TreeCheck
  extends Pick<WindowOptions, 'env' | 'binary' | 'live' | 'ledger' | 'now' | 'recorded' | 'landing' | 'unlanded'> {
  verify: VerifySettings
  worktree: WorktreeSettings
  /** Identifies the processes of the check, so that they can be found if gza dies. */
  marker: string
  cancel: AbortSignal
}

/** Null if the checked-out tree is green. Without a configured command, a tree that could be built is green. */
export async function verifyTree(place: LandPlace, commit: string, check: TreeCheck): Promise<RedTree | null> {
  const { verify, marker, cancel } = check
  if (cancel.aborted) return { detail: 'was stopped', isCancelled: true }
  if (verify.command === null) return null
  const unready = await setUpTree(place, check)
  if (unready !== null) return unready
  const window = guardTree(place, check)
  const report = await checkWork({
    repo: place.repo,
    path: place.dir,
    commit,
    filesToCreate: [],
    testFiles: [],
    testCommand: null,
    command: verify.command,
    timeoutMs: verify.timeout_minutes * 60_000,
    env: window.env,
    marker,
    cancel,
  }).finally(() => window.close())
  if (report.failure === null) return null
  return { detail: report.failure.detail, isCancelled: report.failure.what === 'cancelled' }
}

/** Each tree is set up by itself: one branch of the batch may need other packages than the next. */
async function setUpTree(place: LandPlace, check: TreeCheck): Promise<RedTree | null> {
  const { worktree: settings, marker, cancel } = check
  if (!needsSetUp(place.repo, settings)) return null
  const repo = markedBy(place.repo, marker)
  const about = { repo, path: place.dir, settings, marker, isFresh: true, cancel }
  const openGuard = () => guardTree(place, check)
  const failure = await setUpWorktree({ ...about, openGuard, log: () => {} })
  return failure === null ? null : { detail: `setup-failed: ${failure.detail}`, isCancelled: failure.isCancelled }
}

/** The verified code was written by agents, so it runs under the guard as they do. */
function guardTree({ repo }: LandPlace, check: TreeCheck): GuardWindow {
  const { env, binary, live, ledger, now, recorded, landing, unlanded, marker } = check
  const about = { env, binary, live, ledger, now, recorded, landing, unlanded }
  return openGuardWindow({ ...about, repo, run: marker, agent: 'landing', kind: 'check', own: null })
}
