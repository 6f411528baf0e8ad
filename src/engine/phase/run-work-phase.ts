/** A phase that makes commits: the agent works, what it left is kept, and exactly the last commit is checked. */
import { type FailureReason, refusedHead } from '../../core/run/run-rules.ts'
import { titleOf } from '../../core/task/task.ts'
import type { Env } from '../../platform/git/git.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import { type CheckReport, checkWork } from '../check/check-work.ts'
import { guardEnvironment } from '../guard/guard-environment.ts'
import { markedBy } from '../supervise/marked.ts'
import {
  astrayWords,
  changedFiles,
  keepLeftovers,
  lookOutside,
  type OutsideChange,
  outsideChanges,
  type Workplace,
} from '../worktree/workplace.ts'
import { callAgent } from './call-agent.ts'
import { iterateUntilDone } from './ralph-iterations.ts'
import type { PhaseOutcome, RunContext, RunPlan, RunResult } from './run-plan.ts'
import { failed, usageOf } from './run-result.ts'

export interface WorkPhase {
  name: string
  /** The message for what the agent leaves uncommitted. */
  message: string
  /** The phase must change something since this commit. */
  since: string
  /** What it is called when it does not. */
  unchanged: FailureReason
}

export async function runWorkPhase(
  plan: RunPlan,
  context: RunContext,
  workplace: Workplace,
  phase: WorkPhase = wholeTask(plan, workplace),
): Promise<RunResult> {
  const judge = (phaseOutcome: PhaseOutcome) => judgePhase({ plan, context, workplace, phase }, phaseOutcome)
  if (plan.ralph === null) return judge(plan.phaseOutcome ?? (await letWork(plan, context, workplace, phase)))
  return iterateUntilDone({ plan, context, workplace, phase }, plan.ralph, {
    letWork: (told, listening, name) => letWork(told, listening, workplace, { ...phase, name }),
    judge,
  })
}

async function judgePhase(stage: WorkStage, phaseOutcome: PhaseOutcome): Promise<RunResult> {
  const { plan, context } = stage
  context.keepPhaseOutcome(plan, phaseOutcome)
  context.step(plan, 'heard')
  context.progress(plan, { phase: 'verify' })
  if (hasOnlyLooksLeft(plan, phaseOutcome)) await context.startNextEarly()
  const result = await judgeWork(stage, phaseOutcome)
  context.step(plan, 'verified')
  return result
}

/** No other agent and no command of the project follows. */
function hasOnlyLooksLeft({ review, ralph, verify }: RunPlan, { report }: PhaseOutcome): boolean {
  const isLast = review === null && ralph === null && report.failure === null
  return isLast && verify.command === null && verify.test_command === null
}

export function wholeTask({ task }: RunPlan, { base }: Workplace): WorkPhase {
  return { name: task.type, message: titleOf(task), since: base, unchanged: 'no-changes' }
}

async function letWork(
  plan: RunPlan,
  context: RunContext,
  { branch, path }: Workplace,
  phase: WorkPhase,
): Promise<PhaseOutcome> {
  const busy = context.busyBranches()
  const before = lookOutside(context.repo)
  // Should the call break off before it awaits this: a rejection that nobody awaits would end gza, not the run.
  before.catch(() => {})
  const call = { phase: phase.name, cwd: path, access: 'work', first: before } as const
  const { report, incidents } = await callAgent(plan, context, call)
  const ours = [...new Set([...busy, ...context.busyBranches(), branch])]
  const strayed = outsideChanges(await before, await lookOutside(context.repo), ours)
  return { report, incidents, strayed: strayed.map(describeStray), text: null, message: phase.message }
}

/** A person may have done it meanwhile, so it is told and not punished; the work is judged by its own branch alone. */
function describeStray(change: OutsideChange): string {
  if (change.kind === 'head') return `During the run the checkout moved from ${change.from} to ${change.to}`
  if (change.kind === 'ref') return `During the run ${change.ref} ${change.to === null ? 'was deleted' : 'was moved'}`
  return `During the run ${change.path} changed outside the task's worktree`
}

export interface WorkStage {
  plan: RunPlan
  context: RunContext
  workplace: Workplace
  phase: WorkPhase
}

/** What the agent left is kept first, whatever came of it; then its commit is judged. */
async function judgeWork(
  { plan, context, workplace, phase }: WorkStage,
  phaseOutcome: PhaseOutcome,
): Promise<RunResult> {
  const { report, strayed } = phaseOutcome
  const message = report.failure === null ? phase.message : `WIP: ${phase.message} (${report.failure.reason})`
  const kept = await keepLeftovers(markedBy(context.repo, plan.run), workplace, {
    message,
    identity: identityOf(context.repo),
  })
  context.step(plan, 'kept')
  const files = await changedFiles(context.repo, phase.since, kept.head)
  context.progress(plan, { files })
  const about = { ...usageOf(report), head: kept.head }
  const incidents = [...phaseOutcome.incidents, ...strayed]
  const rest = {
    commits: kept.commits,
    text: null,
    session: report.session,
    incidents,
    resetsAt: report.failure?.resetsAt ?? null,
  }
  const fail = (reason: FailureReason, detail: string): RunResult => ({
    ...failed(context, reason, detail, about),
    ...rest,
  })
  if (report.failure) return fail(report.failure.reason, report.failure.detail)
  if (kept.refused.length > 0)
    return fail('secrets-left', kept.refused.map(({ path, why }) => `${path}: ${why}`).join('; '))
  if (kept.astray !== null) return fail('dirty-tree', `the worktree ${astrayWords(kept.astray)}`)
  const isUnchanged = files.length === 0 || (phase.unchanged === 'no-changes' && kept.head === refusedHead(plan.task))
  if (isUnchanged && strayed.length > 0) return fail('outside-changes', strayed.join('\n'))
  if (isUnchanged) return fail(phase.unchanged, 'the agent made no change')
  const checked = await check(plan, context, workplace, kept.head)
  const counts = checked.counts ? { checks: checked.counts } : {}
  if (checked.failure?.what === 'cancelled') return fail('interrupted', 'stopped by a person')
  if (checked.failure)
    return {
      ...failed(context, 'verify-failed', `${checked.failure.what}: ${checked.failure.detail}`, {
        ...about,
        ...counts,
      }),
      ...rest,
    }
  return { end: { ended_at: context.now(), outcome: 'completed', ...about, ...counts }, ...rest }
}

/** Null: the commit, of whatever origin, passes what the task's work must pass. */
export async function checkFailure(
  plan: RunPlan,
  context: RunContext,
  workplace: Workplace,
  commit: string,
): Promise<RunResult | null> {
  context.progress(plan, { phase: 'verify' })
  const { failure } = await check(plan, context, workplace, commit)
  if (failure === null) return null
  if (failure.what === 'cancelled') return failed(context, 'interrupted', 'stopped by a person', { head: commit })
  return failed(context, 'verify-failed', `${failure.what}: ${failure.detail}`, { head: commit })
}

async function check(plan: RunPlan, context: RunContext, workplace: Workplace, commit: string): Promise<CheckReport> {
  const { files_to_create = [], test_files = [] } = plan.task
  const { command, test_command } = plan.verify
  // What was left is kept: nothing runs that could find the tree any other than this commit.
  if (command === null && test_command === null && files_to_create.length + test_files.length === 0)
    return { ok: true, commit, failure: null, counts: null, steps: [] }
  const checks = {
    path: workplace.path,
    commit,
    filesToCreate: files_to_create,
    testFiles: test_files,
    testCommand: plan.verify.test_command,
    command: plan.verify.command,
    timeoutMs: plan.verify.timeout_minutes * 60_000,
    env: await checksEnvironment(plan, context),
    marker: plan.run,
    cancel: context.cancel,
  }
  return context.yieldWhile(() => checkWork(checks))
}

/** The tests are the agent's too: they run under the guard like itself. */
async function checksEnvironment({ verify, run, agent }: RunPlan, { repo, env, binary }: RunContext): Promise<Env> {
  if (verify.command === null && verify.test_command === null) return env
  return guardEnvironment(env, { repo, binary, run, agent: agent.name })
}
