/**
 * One attempt at one task: prepare, let the agent work, keep what it left, check the commit, report. Nothing here writes
 * to the ledger but the phases of a review loop; whoever called records the result. Each step is announced before it is
 * taken, so that a restart knows where a killed run stood.
 */
import { join } from 'node:path'
import { identityOf } from '../platform/identity.ts'
import type { Desk, Job, RunResult } from './job.ts'
import { failed } from './run-result.ts'
import { runReviewLoop } from './run-review-loop.ts'
import { runTextTask } from './run-text-task.ts'
import { runWorkPhase } from './run-work-phase.ts'
import { prepareWorkplace, removeWorkplace, workplaceRoot } from './workplace.ts'

export function runTask(job: Job, desk: Desk): Promise<RunResult> {
  return job.branch === null ? runTextTask(job, desk) : runWorkTask(job, job.branch, desk)
}

async function runWorkTask(job: Job, branch: string, desk: Desk): Promise<RunResult> {
  const { repo, env } = desk
  const path = join(workplaceRoot(repo, env), branch)
  const prepared = await prepareWorkplace(repo, {
    branch,
    path,
    from: job.from,
    merge: [...job.merge],
    identity: identityOf(repo),
  })
  if ('conflict' in prepared) {
    const { files } = prepared.conflict
    return failed(desk, 'conflict', `the work of ${prepared.conflict.with} conflicts in ${files.join(', ')}`)
  }
  const { workplace } = prepared
  desk.step(job, 'prepared')
  const result =
    job.loop === null ? await runWorkPhase(job, desk, workplace) : await runReviewLoop(job, desk, workplace, job.loop)
  await removeWorkplace(repo, workplace)
  desk.step(job, 'removed')
  return result
}
