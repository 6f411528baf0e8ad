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
import type { RunContext, RunPlan, RunResult } from './run-plan.ts'
import { failed } from './run-result.ts'
import { runReviewCycles } from './run-review-cycles.ts'
import { runTextTask } from './run-text-task.ts'
import { runWorkPhase } from './run-work-phase.ts'

export async function runTask(plan: RunPlan, context: RunContext): Promise<RunResult> {
  if (isCalledOff(plan, context)) return calledOff(context)
  return plan.branch === null ? runTextTask(plan, context) : runWorkTask(plan, plan.branch, context)
}

/** Somebody said stop while it waited for its turn or was laid out. What was heard before is judged all the same. */
function isCalledOff({ phaseOutcome }: RunPlan, { stop, cancel }: RunContext): boolean {
  return phaseOutcome === null && (stop.aborted || cancel.aborted)
}

function calledOff(context: RunContext): RunResult {
  return failed(context, 'interrupted', 'stopped by a person')
}

async function runWorkTask(plan: RunPlan, branch: string, context: RunContext): Promise<RunResult> {
  const repo = markedBy(context.repo, plan.run)
  const path = join(workplaceRoot(repo, context.env), branch)
  const prepared = await prepareWorkplace(repo, {
    branch,
    path,
    from: plan.from,
    merge: [...plan.merge],
    identity: identityOf(context.repo),
  })
  if ('conflict' in prepared) {
    const { files } = prepared.conflict
    const whose = nameWork(repo, prepared.conflict.with)
    return failed(context, 'conflict', `the work of ${whose} conflicts in ${files.join(', ')}`)
  }
  const { workplace } = prepared
  context.step(plan, 'prepared')
  const result = isCalledOff(plan, context) ? calledOff(context) : await runPhases(plan, context, workplace)
  if (result.end.outcome === 'completed') await context.startNextEarly()
  await removeWorkplace(repo, workplace)
  context.step(plan, 'removed')
  return result
}

/** By its branch, which says whose it is, as long as that has it at its tip. */
function nameWork(repo: Repo, commit: string): string {
  const at = ['for-each-ref', '--format=%(refname:lstrip=2)', '--points-at', commit, 'refs/heads/']
  const [branch = ''] = tryGit(repo, at).stdout.toString().split('\n')
  return branch || commit.slice(0, 12)
}

function runPhases(plan: RunPlan, context: RunContext, workplace: Workplace): Promise<RunResult> {
  return plan.review === null
    ? runWorkPhase(plan, context, workplace)
    : runReviewCycles(plan, context, workplace, plan.review)
}
