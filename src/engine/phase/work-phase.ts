/**
 * The two halves of a phase that makes commits: the agent works; then leftovers are kept and the last commit is judged.
 */

import { type FailureReason, refusedHead } from '../../core/run/run-rules.ts'
import { titleOf } from '../../core/task/task.ts'
import { fileExists } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import { markedBy } from '../../platform/git/own-git.ts'
import { readRef } from '../../platform/git/refs.ts'
import { type OutsideChange, outsideChanges, readRepoState } from '../../platform/git/repo-state.ts'
import { notImported } from '../isolation/agent-box/phase-box.ts'
import { isCheckoutHidden } from '../isolation/agent-box/plan-box.ts'
import { contains } from '../worktree/commit-history.ts'
import { type Kept, keepLeftovers } from '../worktree/keep-leftovers.ts'
import { changedFiles, type Workplace } from '../worktree/workplace.ts'
import { faultWords } from '../worktree/worktree-fault.ts'
import { callAgent } from './call-agent.ts'
import { checkCommit, failedOnTree } from './check-commit.ts'
import type { PhaseOutcome, PhaseReport } from './phase-report.ts'
import { type RunContext, startNextEarly } from './run-context.ts'
import type { RunPlan, RunResult } from './run-plan.ts'
import { failedCall, stoppedByPerson, unverified, usageOf } from './run-result.ts'

export interface WorkPhase {
  name: string
  /** The message for what the agent leaves uncommitted. */
  message: string
  /** The phase must have changed something since this commit. */
  since: string
  /** The failure reason if nothing changed. */
  unchanged: FailureReason
}

export interface WorkStage {
  plan: RunPlan
  context: RunContext
  workplace: Workplace
  phase: WorkPhase
}

export function wholeTask({ subject: { task } }: RunPlan, { base }: Workplace): WorkPhase {
  return { name: task.type, message: titleOf(task), since: base, unchanged: 'no-changes' }
}

/** Calls the agent once in the workplace. */
export async function letWork({ plan, context, workplace, phase }: WorkStage): Promise<PhaseOutcome> {
  const { repo, isolation } = context.host
  const look = () => (isCheckoutHidden(repo, isolation) ? Promise.resolve(null) : readRepoState(repo))
  const before = look()
  // If the call fails before it awaits this, an unhandled rejection would end gza, not only the run.
  before.catch(() => {})
  const left = (report: PhaseReport): void => {
    // The next agent does not wait for what gza itself still does here.
    if (needsNoFurtherProcess(plan, report)) context.slot.startNextEarly(false)
  }
  const call = { phase: phase.name, cwd: workplace.path, access: 'work', first: before, left } as const
  const { report, incidents } = await callAgent(plan, context, call)
  const [then, now] = [await before, await look()]
  const strayed = then === null || now === null ? [] : outsideChanges(then, now).map(describeStray)
  return { report, incidents, strayed, text: null, message: phase.message }
}

/** A person may have done it meanwhile, so it is only reported. The work is judged by its own branch. */
function describeStray(change: OutsideChange): string {
  if (change.kind === 'head') return `During the run the checkout moved from ${change.from} to ${change.to}`
  return `During the run ${change.path} changed outside the task's worktree`
}

/** Records the outcome, keeps what the agent left, and checks the resulting commit. */
export async function judgePhase(stage: WorkStage, outcome: PhaseOutcome): Promise<RunResult> {
  const { plan, context } = stage
  const { recorder } = context
  recorder.keepOutcome(plan.order.promptKey, outcome)
  recorder.step('heard')
  recorder.progress({ phase: 'verify' })
  if (needsNoFurtherProcess(plan, outcome.report)) await startNextEarly(context)
  const result = await judgeWork(stage, outcome)
  recorder.step('verified')
  return result
}

/** No further agent call and no command of the project follows. */
function needsNoFurtherProcess({ order, verify }: RunPlan, { failure }: PhaseReport): boolean {
  const isLast = order.review === null && order.ralph === null && failure === null
  return isLast && verify.command === null && verify.test_command === null
}

/** Leftovers are kept first, whatever the outcome. Then the commit is judged. */
async function judgeWork(stage: WorkStage, outcome: PhaseOutcome, round = 1): Promise<RunResult> {
  const { plan, context, workplace, phase } = stage
  const { host, recorder } = context
  const { repo } = host
  const { report, strayed } = outcome
  const message = report.failure === null ? phase.message : `WIP: ${phase.message} (${report.failure.reason})`
  const kept = await keepLeft(stage, message)
  recorder.step('kept')
  const files = await changedFiles(repo, phase.since, kept.head)
  recorder.progress({ files })
  const about = { ...usageOf(report), head: kept.head }
  const found = { commits: kept.commits, incidents: [...outcome.incidents, ...strayed] }
  const rest = { ...found, text: null, session: report.session, resetsAt: null }
  const fail = (reason: FailureReason, detail: string, counted = {}): RunResult => ({
    ...failedCall(host.now(), report, { reason, detail }, { head: kept.head, ...counted }),
    ...found,
  })
  if (isTakenAway(workplace, report)) return fail('dirty-tree', takenAway(workplace.branch, kept.commits.length))
  if (report.failure) return fail(report.failure.reason, report.failure.detail)
  if (kept.unimported !== null) return fail('dirty-tree', notImported(kept.unimported))
  if (kept.refused.length > 0)
    return fail('secrets-left', kept.refused.map(({ path, why }) => `${path}: ${why}`).join('; '))
  if (kept.fault !== null) return fail('dirty-tree', `the worktree ${faultWords(kept.fault)}`)
  const isUnchanged =
    files.length === 0 || (phase.unchanged === 'no-changes' && kept.head === refusedHead(plan.subject.task))
  if (isUnchanged && strayed.length > 0) return fail('outside-changes', strayed.join('\n'))
  if (isUnchanged) return fail(phase.unchanged, 'the agent made no change')
  const { failure, counts, steps } = await checkCommit(plan, context, workplace, kept.head)
  const counted = counts ? { checks: counts } : {}
  if (failure?.what === 'cancelled') return { ...stoppedByPerson(host.now(), about), ...rest }
  if (round < MOST_ROUNDS && hasGoneOn(repo, workplace, kept.head)) return judgeWork(stage, outcome, round + 1)
  if (failure)
    return { ...fail('verify-failed', `${failure.what}: ${failure.detail}`, counted), ...failedOnTree(steps) }
  return { end: { ended_at: host.now(), outcome: 'completed', ...about, ...counted, ...unverified(plan) }, ...rest }
}

/** Commits what the agent left uncommitted. */
export function keepLeft({ plan, context, workplace }: Omit<WorkStage, 'phase'>, message: string): Promise<Kept> {
  const { run } = plan.subject
  const { repo, isolation } = context.host
  const { level } = isolation
  return keepLeftovers(markedBy(repo, run), workplace, { run, level, message, identity: identityOf(repo) })
}

/** A check that itself commits each time must come to an end. */
const MOST_ROUNDS = 3

/** A person may commit on the branch while its checks run. Exactly the last commit is checked, so they run again. */
function hasGoneOn(repo: Repo, { branch }: Workplace, head: string): boolean {
  const tip = readRef(repo, `refs/heads/${branch}`)
  return tip !== null && tip !== head && contains(repo, tip, head)
}

/** The worktree was locked, so somebody removed it on purpose. An agent whose folder disappears fails in any way. */
function isTakenAway({ path }: Workplace, { failure }: PhaseReport): boolean {
  return !fileExists(path) && (failure === null || failure.reason === 'agent-error')
}

function takenAway(branch: string, commits: number): string {
  const kept = commits === 0 ? 'there were no commits' : `its commits are on ${branch}`
  return `the worktree was removed while the agent worked: ${kept}, and what was not committed is lost`
}
