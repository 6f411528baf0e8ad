/** Makes a run's worktree ready for its agent, once. */

import { markedBy } from '../../platform/git/own-git.ts'
import { adminFolder } from '../../platform/git/worktree-folder.ts'
import { openRunWindow } from '../isolation/agent-box/run-window.ts'
import { isSetUp, needsSetUp, type SetUpFailure, setUpWorktree } from '../set-up/set-up-worktree.ts'
import { discardHalfMade, whileHalfMade } from '../worktree/half-made.ts'
import type { RunContext } from './run-context.ts'
import type { RunPlan } from './run-plan.ts'

/** `throw-away`: only a text is kept of it. `fresh`: just made for a branch. `kept`: it may contain work. */
export interface SetUpPlace {
  path: string
  kind: 'throw-away' | 'fresh' | 'kept'
}

/**
 * Null: it is ready. A fresh worktree counts as half-made meanwhile: if gza dies or the set-up fails, it is made anew,
 * and nothing that the set-up left is taken for work.
 */
export async function setUpPlace(plan: RunPlan, context: RunContext, place: SetUpPlace): Promise<SetUpFailure | null> {
  const { host, recorder, slot } = context
  const { path, kind } = place
  if (!needsSetUp(host.repo, plan.worktree)) return null
  if (kind === 'kept' && isSetUp(host.repo, path, plan.worktree)) return null
  recorder.progress({ phase: 'setup', action: plan.worktree.setup ?? 'copying files' })
  const { run } = plan.subject
  const repo = markedBy(host.repo, run)
  const order = {
    ...{ repo, path, settings: plan.worktree, marker: run, isFresh: kind !== 'kept', cancel: slot.cancel },
    openWindow: () => openRunWindow(plan, context, { cwd: path, network: true }),
    log: (lines: string | Uint8Array) => recorder.logCommand('setup', lines),
  }
  const setUp = () => slot.yieldWhile(() => setUpWorktree(order))
  if (kind !== 'fresh') return setUp()
  const folder = adminFolder(repo, path)
  return whileHalfMade(folder, async () => {
    const failure = await setUp()
    recorder.checkLease()
    if (failure !== null) discardHalfMade(repo, path)
    return failure
  })
}
