/**
 * One attempt at one task: prepare, let the agent work, keep what it left, check the commit, report. Nothing here writes
 * to the ledger; whoever called records the result. Each step is announced before it is taken, so that a restart knows
 * where a killed run stood.
 */
import { join } from 'node:path'
import type { FailureReason, RunEnd } from '../core/run-rules.ts'
import { type Task, titleOf } from '../core/task.ts'
import { commitsSince } from '../ledger/links.ts'
import { identityOf } from '../platform/identity.ts'
import { callAgent } from './call-agent.ts'
import { type CheckReport, checkWork } from './check-work.ts'
import { guardEnvironment } from './guard/guard-environment.ts'
import type { Desk, Heard, Job, RunResult } from './job.ts'
import type { PhaseReport } from './run-phase.ts'
import { runTextTask } from './run-text-task.ts'
import {
  changedFiles,
  keepLeftovers,
  lookOutside,
  type OutsideChange,
  outsideChanges,
  prepareWorkplace,
  removeWorkplace,
  type Workplace,
  workplaceRoot,
} from './workplace.ts'

export function runTask(job: Job, desk: Desk): Promise<RunResult> {
  return job.branch === null ? runTextTask(job, desk) : runWorkTask(job, job.branch, desk)
}

async function runWorkTask(job: Job, branch: string, desk: Desk): Promise<RunResult> {
  const { repo, env } = desk
  const path = join(workplaceRoot(repo, env), branch)
  const prepared = prepareWorkplace(repo, {
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
  const heard = job.heard ?? (await letWork(job, desk, workplace))
  desk.keepHeard(job, heard)
  desk.step(job, 'heard')
  const result = await judgeWork(job, desk, workplace, heard)
  desk.step(job, 'verified')
  removeWorkplace(repo, workplace)
  desk.step(job, 'removed')
  return result
}

async function letWork(job: Job, desk: Desk, { branch, path }: Workplace): Promise<Heard> {
  const busy = desk.busyBranches()
  const outside = lookOutside(desk.repo)
  const { report, incidents } = await callAgent(job, desk, { phase: job.task.type, cwd: path, access: 'work' })
  const strayed = outsideChanges(desk.repo, outside, [...new Set([...busy, ...desk.busyBranches(), branch])])
  return { report, incidents, strayed: strayed.map(describeStray), text: null }
}

/** A person may have done it meanwhile, so it is told and not punished; the work is judged by its own branch alone. */
function describeStray(change: OutsideChange): string {
  if (change.kind === 'head') return `During the run the checkout moved from ${change.from} to ${change.to}`
  if (change.kind === 'ref') return `During the run ${change.ref} ${change.to === null ? 'was deleted' : 'was moved'}`
  return `During the run ${change.path} changed outside the task's worktree`
}

/** What the agent left is kept first, whatever came of it; then its commit is judged. */
async function judgeWork(job: Job, desk: Desk, workplace: Workplace, heard: Heard): Promise<RunResult> {
  const { report, strayed } = heard
  const message = leftoversMessage(job.task, report)
  const kept = keepLeftovers(desk.repo, workplace, { message, identity: identityOf(desk.repo) })
  desk.step(job, 'kept')
  const commits = commitsSince(desk.repo, workplace.base, kept.head).map(({ oid }) => oid)
  const files = changedFiles(desk.repo, workplace.base, kept.head)
  desk.progress(job, { phase: 'verify', files })
  const about = { ...usageOf(report), head: kept.head }
  const incidents = [...heard.incidents, ...strayed]
  const rest = { commits, text: null, session: report.session, incidents, resetsAt: report.failure?.resetsAt ?? null }
  const fail = (reason: FailureReason, detail: string): RunResult => ({
    ...failed(desk, reason, detail, about),
    ...rest,
  })
  if (report.failure) return fail(report.failure.reason, report.failure.detail)
  if (kept.refused.length > 0)
    return fail('secrets-left', kept.refused.map(({ path, why }) => `${path}: ${why}`).join('; '))
  if (kept.astray !== null) return fail('dirty-tree', `the worktree was left astray: ${JSON.stringify(kept.astray)}`)
  if (files.length === 0 && strayed.length > 0) return fail('outside-changes', strayed.join('\n'))
  if (files.length === 0) return fail('no-changes', 'the agent made no change')
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

function leftoversMessage(task: Task, report: PhaseReport): string {
  return report.failure === null ? titleOf(task) : `WIP: ${titleOf(task)} (${report.failure.reason})`
}

function check(job: Job, desk: Desk, workplace: Workplace, commit: string): Promise<CheckReport> {
  const { files_to_create = [], test_files = [] } = job.task
  return checkWork({
    path: workplace.path,
    commit,
    filesToCreate: files_to_create,
    testFiles: test_files,
    testCommand: job.verify.test_command,
    command: job.verify.command,
    timeoutMs: job.verify.timeout_minutes * 60_000,
    // The tests are the agent's too: they run under the guard like itself.
    env: guardEnvironment(desk.env, { repo: desk.repo, binary: desk.binary, run: job.run, agent: job.agent.name }),
    marker: job.run,
    cancel: desk.cancel,
  })
}

export function usageOf(report: PhaseReport): Pick<RunEnd, 'cost_usd' | 'tokens_in' | 'tokens_out'> {
  const { costUsd, tokensIn, tokensOut } = report.usage
  return { cost_usd: costUsd, tokens_in: tokensIn, tokens_out: tokensOut }
}

export function failed(desk: Desk, reason: FailureReason, detail: string, about: Partial<RunEnd> = {}): RunResult {
  const outcome = reason === 'interrupted' ? 'interrupted' : 'failed'
  const end: RunEnd = { ended_at: desk.now(), outcome, reason, detail, ...about }
  return { end, commits: [], text: null, session: null, resetsAt: null, incidents: [] }
}
