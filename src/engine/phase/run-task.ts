/**
 * One attempt at one task: prepare, let the agent work, keep what it left, check the commit, report. Nothing here writes
 * to the ledger but the phases of a review loop; whoever called records the result. Each step is announced before it is
 * taken, so that a restart knows where a killed run stood.
 */
import { join } from 'node:path'
import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import { markedBy } from '../supervise/marked.ts'
import { prepareWorkplace, removeWorkplace, type Workplace, workplaceRoot } from '../worktree/workplace.ts'
import type { Desk, Job, RunResult } from './run-plan.ts'
import { failed } from './run-result.ts'
import { runReviewLoop } from './run-review-cycles.ts'
import { runTextTask } from './run-text-task.ts'
import { runWorkPhase } from './run-work-phase.ts'

export async function runTask(job: Job, desk: Desk): Promise<RunResult> {
  if (isCalledOff(job, desk)) return calledOff(desk)
  return job.branch === null ? runTextTask(job, desk) : runWorkTask(job, job.branch, desk)
}

/** Somebody said stop while it waited for its turn or was laid out. What was heard before is judged all the same. */
function isCalledOff({ heard }: Job, { stop, cancel }: Desk): boolean {
  return heard === null && (stop.aborted || cancel.aborted)
}

function calledOff(desk: Desk): RunResult {
  return failed(desk, 'interrupted', 'stopped by a person')
}

async function runWorkTask(job: Job, branch: string, desk: Desk): Promise<RunResult> {
  const repo = markedBy(desk.repo, job.run)
  const path = join(workplaceRoot(repo, desk.env), branch)
  const prepared = await prepareWorkplace(repo, {
    branch,
    path,
    from: job.from,
    merge: [...job.merge],
    identity: identityOf(desk.repo),
  })
  if ('conflict' in prepared) {
    const { files } = prepared.conflict
    const whose = nameWork(repo, prepared.conflict.with)
    return failed(desk, 'conflict', `the work of ${whose} conflicts in ${files.join(', ')}`)
  }
  const { workplace } = prepared
  desk.step(job, 'prepared')
  const result = isCalledOff(job, desk) ? calledOff(desk) : await runPhases(job, desk, workplace)
  if (result.end.outcome === 'completed') await desk.handOver()
  await removeWorkplace(repo, workplace)
  desk.step(job, 'removed')
  return result
}

/** By its branch, which says whose it is, as long as that has it at its tip. */
function nameWork(repo: Repo, commit: string): string {
  const at = ['for-each-ref', '--format=%(refname:lstrip=2)', '--points-at', commit, 'refs/heads/']
  const [branch = ''] = tryGit(repo, at).stdout.toString().split('\n')
  return branch || commit.slice(0, 12)
}

function runPhases(job: Job, desk: Desk, workplace: Workplace): Promise<RunResult> {
  return job.loop === null ? runWorkPhase(job, desk, workplace) : runReviewLoop(job, desk, workplace, job.loop)
}
