import type { VerifySettings, WorktreeSettings } from '../../core/config/settings.ts'
import type { CheckFailure, CheckPlan } from '../../engine/check/check-plan.ts'
import { checkWork } from '../../engine/check/check-work.ts'
import { openGuardWindow, type WindowOptions } from '../../engine/guard/guard-window.ts'
import type { Surroundings } from '../../engine/guard/refs/changed-refs.ts'
import {
  type CommandWindow,
  checksHaveNetwork,
  openCommandWindow,
} from '../../engine/isolation/agent-box/command-box.ts'
import type { RunIsolation } from '../../engine/isolation/agent-box/run-level.ts'
import { linkedFolders } from '../../engine/isolation/agent-box/run-window.ts'
import { needsSetUp, setUpWorktree } from '../../engine/set-up/set-up-worktree.ts'
import { markedBy } from '../../platform/git/own-git.ts'
import type { RedTree } from './land-batch.ts'
import type { LandPlace } from './land-place.ts'

export interface TreeCheck extends Omit<Surroundings, 'own'>, Pick<WindowOptions, 'env' | 'binary' | 'live' | 'now'> {
  verify: VerifySettings
  worktree: WorktreeSettings
  isolation: RunIsolation
  /** Identifies the processes of the check, so that they can be found if gza dies. */
  marker: string
  cancel: AbortSignal
  /** The checks of single tasks, besides the command for the whole tree. */
  own?: readonly OwnCheck[]
}

export type OwnCheck = Pick<CheckPlan, 'filesToCreate' | 'testFiles'>

/** Otherwise a tree that could be built is green. */
export function hasChecks({ verify, own = [] }: TreeCheck): boolean {
  return verify.command !== null || own.length > 0
}

/** Null if the checked-out tree is green. */
export async function verifyTree(place: LandPlace, commit: string, check: TreeCheck): Promise<RedTree | null> {
  const { verify, marker, cancel, own = [] } = check
  if (cancel.aborted) return { detail: 'was stopped', isCancelled: true }
  if (!hasChecks(check)) return null
  const unready = await setUpTree(place, check)
  if (unready !== null) return unready
  const { close, ...window } = openWindow(place, check, checksHaveNetwork(verify, check.isolation))
  const about = { repo: place.repo, path: place.dir, commit, ...window, marker, cancel }
  const plan = { ...about, timeoutMs: verify.timeout_minutes * 60_000, testCommand: verify.test_command }
  const whole = { ...plan, filesToCreate: [], testFiles: [], command: verify.command }
  const checks = [...own.map((each) => ({ ...plan, ...each, command: null })), whole]
  const failure = await firstFailure(checks).finally(close)
  return failure === null ? null : { detail: failure.detail, isCancelled: failure.what === 'cancelled' }
}

async function firstFailure(checks: readonly CheckPlan[]): Promise<CheckFailure | null> {
  for (const check of checks) {
    const { failure } = await checkWork(check)
    if (failure !== null) return failure
  }
  return null
}

/** Each tree is set up by itself: one branch of the batch may need other packages than the next. */
async function setUpTree(place: LandPlace, check: TreeCheck): Promise<RedTree | null> {
  const { worktree: settings, marker, cancel } = check
  if (!needsSetUp(place.repo, settings)) return null
  const repo = markedBy(place.repo, marker)
  const about = { repo, path: place.dir, settings, marker, isFresh: true, cancel }
  const failure = await setUpWorktree({
    ...about,
    openWindow: () => openWindow(place, check, true),
    log: () => {},
  })
  return failure === null ? null : { detail: `setup-failed: ${failure.detail}`, isCancelled: failure.isCancelled }
}

/** The verified code was written by agents, so it runs in a box or under the guard, as they do. */
function openWindow({ repo, dir }: LandPlace, check: TreeCheck, network: boolean): CommandWindow {
  const { env, binary, isolation, marker: run, worktree } = check
  const about = { repo, cwd: dir, run, agent: 'landing' }
  const shown = linkedFolders(repo, worktree)
  return openCommandWindow({ ...about, env, binary, isolation, shown, network }, () =>
    openGuardWindow({ ...check, ...about, kind: 'check', own: null }),
  )
}
