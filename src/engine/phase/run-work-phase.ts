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
import { loopUntilDone } from './ralph-iterations.ts'
import type { Desk, Heard, Job, RunResult } from './run-plan.ts'
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
  job: Job,
  desk: Desk,
  workplace: Workplace,
  phase: WorkPhase = wholeTask(job, workplace),
): Promise<RunResult> {
  const judge = (heard: Heard) => judgeHeard({ job, desk, workplace, phase }, heard)
  if (job.ralph === null) return judge(job.heard ?? (await letWork(job, desk, workplace, phase)))
  return loopUntilDone({ job, desk, workplace, phase }, job.ralph, {
    letWork: (told, listening, name) => letWork(told, listening, workplace, { ...phase, name }),
    judge,
  })
}

async function judgeHeard(bench: Bench, heard: Heard): Promise<RunResult> {
  const { job, desk } = bench
  desk.keepHeard(job, heard)
  desk.step(job, 'heard')
  desk.progress(job, { phase: 'verify' })
  if (hasOnlyLooksLeft(job, heard)) await desk.handOver()
  const result = await judgeWork(bench, heard)
  desk.step(job, 'verified')
  return result
}

/** No other agent and no command of the project follows. */
function hasOnlyLooksLeft({ loop, ralph, verify }: Job, { report }: Heard): boolean {
  const isLast = loop === null && ralph === null && report.failure === null
  return isLast && verify.command === null && verify.test_command === null
}

export function wholeTask({ task }: Job, { base }: Workplace): WorkPhase {
  return { name: task.type, message: titleOf(task), since: base, unchanged: 'no-changes' }
}

async function letWork(job: Job, desk: Desk, { branch, path }: Workplace, phase: WorkPhase): Promise<Heard> {
  const busy = desk.busyBranches()
  const before = lookOutside(desk.repo)
  // Should the call break off before it awaits this: a rejection that nobody awaits would end gza, not the run.
  before.catch(() => {})
  const call = { phase: phase.name, cwd: path, access: 'work', first: before } as const
  const { report, incidents } = await callAgent(job, desk, call)
  const ours = [...new Set([...busy, ...desk.busyBranches(), branch])]
  const strayed = outsideChanges(await before, await lookOutside(desk.repo), ours)
  return { report, incidents, strayed: strayed.map(describeStray), text: null, message: phase.message }
}

/** A person may have done it meanwhile, so it is told and not punished; the work is judged by its own branch alone. */
function describeStray(change: OutsideChange): string {
  if (change.kind === 'head') return `During the run the checkout moved from ${change.from} to ${change.to}`
  if (change.kind === 'ref') return `During the run ${change.ref} ${change.to === null ? 'was deleted' : 'was moved'}`
  return `During the run ${change.path} changed outside the task's worktree`
}

export interface Bench {
  job: Job
  desk: Desk
  workplace: Workplace
  phase: WorkPhase
}

/** What the agent left is kept first, whatever came of it; then its commit is judged. */
async function judgeWork({ job, desk, workplace, phase }: Bench, heard: Heard): Promise<RunResult> {
  const { report, strayed } = heard
  const message = report.failure === null ? phase.message : `WIP: ${phase.message} (${report.failure.reason})`
  const kept = await keepLeftovers(markedBy(desk.repo, job.run), workplace, {
    message,
    identity: identityOf(desk.repo),
  })
  desk.step(job, 'kept')
  const files = await changedFiles(desk.repo, phase.since, kept.head)
  desk.progress(job, { files })
  const about = { ...usageOf(report), head: kept.head }
  const incidents = [...heard.incidents, ...strayed]
  const rest = {
    commits: kept.commits,
    text: null,
    session: report.session,
    incidents,
    resetsAt: report.failure?.resetsAt ?? null,
  }
  const fail = (reason: FailureReason, detail: string): RunResult => ({
    ...failed(desk, reason, detail, about),
    ...rest,
  })
  if (report.failure) return fail(report.failure.reason, report.failure.detail)
  if (kept.refused.length > 0)
    return fail('secrets-left', kept.refused.map(({ path, why }) => `${path}: ${why}`).join('; '))
  if (kept.astray !== null) return fail('dirty-tree', `the worktree ${astrayWords(kept.astray)}`)
  const isUnchanged = files.length === 0 || (phase.unchanged === 'no-changes' && kept.head === refusedHead(job.task))
  if (isUnchanged && strayed.length > 0) return fail('outside-changes', strayed.join('\n'))
  if (isUnchanged) return fail(phase.unchanged, 'the agent made no change')
  const checked = await check(job, desk, workplace, kept.head)
  const counts = checked.counts ? { checks: checked.counts } : {}
  if (checked.failure?.what === 'cancelled') return fail('interrupted', 'stopped by a person')
  if (checked.failure)
    return {
      ...failed(desk, 'verify-failed', `${checked.failure.what}: ${checked.failure.detail}`, { ...about, ...counts }),
      ...rest,
    }
  return { end: { ended_at: desk.now(), outcome: 'completed', ...about, ...counts }, ...rest }
}

/** Null: the commit, of whatever origin, passes what the task's work must pass. */
export async function checkFailure(
  job: Job,
  desk: Desk,
  workplace: Workplace,
  commit: string,
): Promise<RunResult | null> {
  desk.progress(job, { phase: 'verify' })
  const { failure } = await check(job, desk, workplace, commit)
  if (failure === null) return null
  if (failure.what === 'cancelled') return failed(desk, 'interrupted', 'stopped by a person', { head: commit })
  return failed(desk, 'verify-failed', `${failure.what}: ${failure.detail}`, { head: commit })
}

async function check(job: Job, desk: Desk, workplace: Workplace, commit: string): Promise<CheckReport> {
  const { files_to_create = [], test_files = [] } = job.task
  const { command, test_command } = job.verify
  // What was left is kept: nothing runs that could find the tree any other than this commit.
  if (command === null && test_command === null && files_to_create.length + test_files.length === 0)
    return { ok: true, commit, failure: null, counts: null, steps: [] }
  const plan = {
    path: workplace.path,
    commit,
    filesToCreate: files_to_create,
    testFiles: test_files,
    testCommand: job.verify.test_command,
    command: job.verify.command,
    timeoutMs: job.verify.timeout_minutes * 60_000,
    env: await checksEnvironment(job, desk),
    marker: job.run,
    cancel: desk.cancel,
  }
  return desk.aside(() => checkWork(plan))
}

/** The tests are the agent's too: they run under the guard like itself. */
async function checksEnvironment({ verify, run, agent }: Job, { repo, env, binary }: Desk): Promise<Env> {
  if (verify.command === null && verify.test_command === null) return env
  return guardEnvironment(env, { repo, binary, run, agent: agent.name })
}
