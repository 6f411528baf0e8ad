/** One call of an agent in the person's own tree, and what is true afterwards. */
import type { Agent } from '../../agents/agent.ts'
import type { Config } from '../../core/config/settings.ts'
import { clip, fillPrompt } from '../../core/documents/prompt-text.ts'
import { addNote, reopenTask } from '../../core/task/operations.ts'
import type { Task } from '../../core/task/task.ts'
import { guardEnvironment } from '../../engine/guard/guard-environment.ts'
import { callAgent } from '../../engine/phase/call-agent.ts'
import type { PhaseReport } from '../../engine/phase/run-phase.ts'
import type { Desk, Job, RunResult } from '../../engine/phase/run-plan.ts'
import { failed, usageOf } from '../../engine/phase/run-result.ts'
import { readHead } from '../../platform/git/refs.ts'
import runPrompt from '../../runs/prompt/run.md' with { type: 'text' }
import { recordStart } from '../../runs/record-run.ts'
import { leaseJob, newRun, planJob } from '../../runs/take-run.ts'
import { taskOf } from '../../state/index/find-entries.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { LedgerKeeper } from '../ledger-watchdog.ts'
import { finishJob } from '../perform-run.ts'
import { type Controls, openDesk } from '../run-context.ts'
import type { WorkWatcher } from '../work-on-tasks.ts'
import { isBrokenDown, type Lie, whyNotDone, whyNotPassed } from './check-claim.ts'

export interface Attempt {
  /** Null: the claim holds. */
  failure: Lie | null
  isBrokenDown: boolean
}

interface Tree {
  ws: Workspace
  config: Config
  options: { model?: string }
  watcher: WorkWatcher
  keeper: LedgerKeeper
  branch: string | null
}

/** Null when another worker has the task. */
export async function runInTree(tree: Tree, task: Task, agent: Agent): Promise<Attempt | null> {
  const { ws, watcher } = tree
  const view = readLedger(ws)
  const head = readHead(ws.repo).oid ?? ws.repo.zeroOid
  const job = planInTree(view, tree, task, { agent, head })
  const taken = leaseJob(view, job, { path: null, takeOver: false })
  if (taken === null) return null
  watcher.started(job)
  recordStart(ws, job)
  const desk = openDesk(tree, job, { cancel: watcher.cancel, signs: SILENT, ...ALONE })
  const call = { phase: 'run', cwd: ws.repo.workTree ?? ws.repo.dir, access: 'work' } as const
  const { report, incidents } = await callAgent(job, desk, call)
  const failure = await judgeClaim(tree, job, desk, report)
  const { end, ...rest } = resultOf(ws, desk, report, failure)
  const isTakenBack = failure !== null && takeBackClaim(ws, task, failure.detail)
  const result = {
    ...rest,
    ...{ end: { ...end, ...(isTakenBack && ({ taken_back: true } as const)) }, incidents, session: report.session },
  }
  watcher.ended(job, result, finishJob(ws, taken, result).task)
  return { failure, isBrokenDown: failure === null && isBrokenDown(ws, task) }
}

function planInTree(view: LedgerView, tree: Tree, task: Task, { agent, head }: { agent: Agent; head: string }): Job {
  const { model } = tree.options
  const run = newRun(view.ws)
  const planned = planJob(view, tree.config, task, { run, agent, ...(model !== undefined && { model }) })
  const prompt = fillPrompt(runPrompt, { task_id: task.id, task_content: task.content }).trimEnd()
  return { ...planned, ...IN_TREE, from: head, prompt }
}

/** One agent after the other: nobody goes first meanwhile. */
const ALONE: Pick<Controls, 'aside' | 'handOver'> = { aside: (wait) => wait(), handOver: () => null }

/** One agent after the other needs no proof that a second may be called. */
const SILENT = { answered() {}, prepared() {}, heard() {} }

/** It has no branch of its own, and failing closes nothing. */
const IN_TREE = { branch: null, loop: null, output: null, merge: [], maxAttempts: Number.POSITIVE_INFINITY }

async function judgeClaim(
  { ws, branch, watcher }: Tree,
  job: Job,
  desk: Desk,
  report: PhaseReport,
): Promise<Lie | null> {
  if (report.failure !== null) return report.failure
  const lie = whyNotDone(ws, job.task, { branch, head: job.from })
  // What is to be checked of it is checked with its parts.
  if (lie !== null || isBrokenDown(ws, job.task)) return lie
  desk.progress(job, { phase: 'verify' })
  const env = await guardEnvironment(ws.env, {
    repo: ws.repo,
    binary: desk.binary,
    run: job.run,
    agent: job.agent.name,
  })
  return whyNotPassed(ws, job, { env, cancel: watcher.cancel })
}

function resultOf(ws: Workspace, desk: Desk, report: PhaseReport, failure: Lie | null): RunResult {
  const head = readHead(ws.repo).oid
  const about = { ...usageOf(report), ...(head !== null && { head }) }
  const resetsAt = report.failure?.resetsAt ?? null
  if (failure !== null) return { ...failed(desk, failure.reason, failure.detail, about), resetsAt }
  const end = { ended_at: ws.now(), outcome: 'completed', ...about } as const
  return { end, commits: [], text: null, session: null, resetsAt, incidents: [] }
}

/** Longer ones are in the run's own record. */
const LONGEST_NOTE = 2000

/** A claim that does not hold is taken back, by the person who started the loop. */
function takeBackClaim(ws: Workspace, task: Task, why: string): boolean {
  return changeLedger(ws, (view) => {
    const now = taskOf(ws.state, view.row.lid, task.uid)
    if (now?.status !== 'completed') return { tasks: [], subject: '', result: false }
    const note = `not done: ${clip(why, LONGEST_NOTE)}`
    const noted = addNote(reopenTask(now), note, { at: ws.now(), by: ws.actor.name }, ws.random(8))
    return { tasks: [noted], subject: `reopen ${task.id}: ${why.split('\n', 1)[0]}`, result: true }
  })
}
