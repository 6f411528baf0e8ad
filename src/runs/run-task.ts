/**
 * One attempt at one task, from its lease to its result: prepare the workplace, run the phases, remove the workplace.
 * Only the phases of review cycles are written to the ledger here; the caller records the result. Each step is recorded
 * before the side effect of the next, so that a restart knows how far a killed run got.
 */

import { withOutside } from '../engine/check/with-outside.ts'
import { withWeakened } from '../engine/check/with-weakened.ts'
import { startNextEarly } from '../engine/phase/run-context.ts'
import type { RunResult } from '../engine/phase/run-plan.ts'
import { failed, stoppedByPerson } from '../engine/phase/run-result.ts'
import { runWorkPhase } from '../engine/phase/run-work-phase.ts'
import { type SetUpPlace, setUpPlace } from '../engine/phase/set-up-phase.ts'
import { wholeTask } from '../engine/phase/work-phase.ts'
import { endMarked } from '../engine/supervise/run-processes.ts'
import { prepareWorkplace } from '../engine/worktree/prepare.ts'
import { removeWorkplace } from '../engine/worktree/remove.ts'
import { lockReason, type Workplace } from '../engine/worktree/workplace.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { tryGit } from '../platform/git/git.ts'
import { identityOf } from '../platform/git/git-identity.ts'
import { markedBy } from '../platform/git/own-git.ts'
import type { TaskRun } from './open-task-run.ts'
import { runReviewCycles } from './review/run-review-cycles.ts'
import { runTextTask } from './run-text-task.ts'

export async function runTask(run: TaskRun): Promise<RunResult> {
  const { plan, context } = run
  const { branch, path } = plan.place
  if (isCalledOff(run)) return stoppedByPerson(context.host.now())
  if (branch === null || path === null) return runTextTask(plan, context)
  const repo = markedBy(context.host.repo, plan.subject.run)
  const endGit = () => void endMarked(plan.subject.run)
  context.slot.cancel.addEventListener('abort', endGit)
  const prepared = await prepare(run, repo, { branch, path }).finally(() =>
    context.slot.cancel.removeEventListener('abort', endGit),
  )
  if ('end' in prepared) return prepared
  context.recorder.step('prepared')
  const done = isCalledOff(run) ? stoppedByPerson(context.host.now()) : await runPhases(run, prepared)
  const work = { task: plan.subject.task, base: prepared.base, end: done.end }
  const verify_seconds = context.recorder.secondsIn('verify')
  const { repo: shared } = context.host
  const reported = await withWeakened(shared, { ...work, verify: plan.verify, end: await withOutside(shared, work) })
  const end = { ...reported, ...(verify_seconds > 0 && { verify_seconds }) }
  const result = { ...done, end }
  if (result.end.outcome === 'completed') await startNextEarly(context)
  await removeWorkplace(repo, prepared)
  context.recorder.step('removed')
  return result
}

/** A person stopped it while it waited or was prepared. The outcome of an earlier run is still judged. */
function isCalledOff({ plan, context: { slot } }: TaskRun): boolean {
  return plan.order.earlier === null && (slot.stop.aborted || slot.cancel.aborted)
}

async function prepare(
  run: TaskRun,
  repo: Repo,
  place: { branch: string; path: string },
): Promise<Workplace | RunResult> {
  const { plan, context } = run
  const { from, merge } = plan.place
  const about = { identity: identityOf(context.host.repo), lock: lockReason(plan.subject) }
  const prepared = await prepareWorkplace(repo, { ...place, from, merge: [...merge], ...about })
  if ('workplace' in prepared) {
    const { workplace, isFresh } = prepared
    return (await whyNotSetUp(run, { path: workplace.path, kind: isFresh ? 'fresh' : 'kept' })) ?? workplace
  }
  const { files } = prepared.conflict
  const whose = nameWork(repo, prepared.conflict.with)
  return failed(context.host.now(), 'conflict', `the work of ${whose} conflicts in ${files.join(', ')}`)
}

async function whyNotSetUp({ plan, context }: TaskRun, place: SetUpPlace): Promise<RunResult | null> {
  // The outcome of an earlier run is judged: a check needs what the agent had.
  const failure = context.slot.cancel.aborted ? null : await setUpPlace(plan, context, place)
  if (failure === null) return null
  const at = context.host.now()
  return failure.isCancelled ? stoppedByPerson(at) : failed(at, 'setup-failed', failure.detail)
}

/** Names a commit by the branch that points to it, if there is one. */
function nameWork(repo: Repo, commit: string): string {
  const at = ['for-each-ref', '--format=%(refname:lstrip=2)', '--points-at', commit, 'refs/heads/']
  const [branch = ''] = tryGit(repo, at).stdout.toString().split('\n')
  return branch || commit.slice(0, 12)
}

function runPhases(run: TaskRun, workplace: Workplace): Promise<RunResult> {
  const { plan, context } = run
  const { review } = plan.order
  if (review !== null) return runReviewCycles(run, workplace, review)
  return runWorkPhase({ plan, context, workplace, phase: wholeTask(plan, workplace) })
}
