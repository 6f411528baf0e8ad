/**
 * `git tasks run` (002): one agent after the other in the current tree, on the current branch. The agent commits and
 * marks its task done; the runner checks the claim. Nothing is pushed.
 */
import type { Agent } from '../../agents/agent.ts'
import { customAgent } from '../../agents/custom.ts'
import { assertAllowed } from '../../core/agent-mode.ts'
import type { Config } from '../../core/config/settings.ts'
import { addNote, reopenTask } from '../../core/operations.ts'
import { fillPrompt } from '../../core/prompt-text.ts'
import type { FailureReason } from '../../core/run-rules.ts'
import { type Task, titleOf } from '../../core/task.ts'
import { UserError } from '../../core/user-error.ts'
import { callAgent } from '../../engine/call-agent.ts'
import type { Job, RunResult } from '../../engine/job.ts'
import runPrompt from '../../engine/prompts/run.md' with { type: 'text' }
import { failed, usageOf } from '../../engine/run-task.ts'
import { commitsSince } from '../../ledger/links.ts'
import { tryGit } from '../../platform/git.ts'
import { readHead } from '../../platform/refs.ts'
import { countOpen, taskOf } from '../../state/sqlite/read-index.ts'
import { changeLedger } from '../change-ledger.ts'
import { loadConfiguration } from '../configuration.ts'
import { readLedger } from '../fresh-ledger.ts'
import type { LedgerView } from '../ledger-view.ts'
import { readLinkedLedger } from '../link-commits.ts'
import { noteTask } from '../note-task.ts'
import type { Workspace } from '../workspace.ts'
import { openDesk } from './desk.ts'
import { pausedUntil } from './pauses.ts'
import { finishJob } from './perform-job.ts'
import { recordStart } from './record-run.ts'
import { recoverRuns } from './recover-runs.ts'
import { agentFor, leaseJob, newRun, planJob } from './take-job.ts'
import { assertTrusted, type WorkWatcher } from './work.ts'
import { workableTasks } from './workable.ts'

export interface RunOptions {
  agent?: string
  /** A command of the user's own instead of a known client. */
  runner?: string
  model?: string
  once?: boolean
  dryRun?: boolean
  delaySeconds?: number
  maxTasks?: number
}

export interface RunReport {
  done: string[]
  skipped: string[]
  /** With a dry run: what would be worked on, in this order. */
  planned: { id: string; title: string; agent: string }[]
  isAllDone: boolean
  paused: { agent: string; until: string } | null
}

const DELAY_SECONDS = 2
const FAILURES_BEFORE_SKIP = 3

export async function runLoop(ws: Workspace, options: RunOptions, watcher: WorkWatcher): Promise<RunReport> {
  assertAllowed('run', ws.actor)
  const config = await loadConfiguration(ws)
  assertTrusted(ws, config)
  if (options.dryRun) return planned(ws, config, options)
  for (const sentence of await recoverRuns(ws)) watcher.said(sentence)
  const report: RunReport = { done: [], skipped: [], planned: [], isAllDone: false, paused: null }
  const failures = new Map<string, number>()
  const limit = options.once ? 1 : (options.maxTasks ?? Number.POSITIVE_INFINITY)
  for (let runs = 0; runs < limit && !watcher.stop.aborted; runs++) {
    const task = nextTask(ws, config, report.skipped)
    if (task === undefined) break
    const agent = chooseAgent(config, task, options)
    const until = pausedUntil(ws.env, agent.name, new Date().toISOString())
    if (until !== null) return { ...report, paused: { agent: agent.name, until } }
    if (runs > 0) await pause(options.delaySeconds ?? DELAY_SECONDS, watcher.stop)
    const isDone = await attempt(ws, config, task, agent, options, watcher)
    if (isDone) report.done.push(task.id)
    else countFailure(ws, task, failures, report)
  }
  const view = readLinkedLedger(ws)
  return { ...report, isAllDone: countOpen(ws.state, view.row.lid) === 0 }
}

async function planned(ws: Workspace, config: Config, options: RunOptions): Promise<RunReport> {
  const ready = workableTasks(readLedger(ws), config).slice(0, options.once ? 1 : options.maxTasks)
  const plan = ready.map(({ task }) => ({
    id: task.id,
    title: titleOf(task),
    agent: chooseAgent(config, task, options).label,
  }))
  return { done: [], skipped: [], planned: plan, isAllDone: false, paused: null }
}

function nextTask(ws: Workspace, config: Config, skipped: readonly string[]): Task | undefined {
  return workableTasks(readLedger(ws), config).find(({ task }) => !skipped.includes(task.id))?.task
}

function chooseAgent(config: Config, task: Task, { runner, agent }: RunOptions): Agent {
  if (runner !== undefined) return customAgent({ command: runner })
  return agentFor(config, task, agent === undefined ? {} : { agent })
}

/** One call of the agent, and what is true afterwards. */
async function attempt(
  ws: Workspace,
  config: Config,
  task: Task,
  agent: Agent,
  options: RunOptions,
  watcher: WorkWatcher,
): Promise<boolean> {
  refuseDirtyTree(ws)
  const view = readLedger(ws)
  const head = readHead(ws.repo).oid ?? ws.repo.zeroOid
  const job = runJob(view, config, task, { agent, head, ...(options.model !== undefined && { model: options.model }) })
  const taken = leaseJob(view, job, { path: null, takeOver: false })
  if (taken === null) return false
  watcher.started(job)
  recordStart(ws, job)
  const desk = openDesk({ ws, watcher }, job, watcher.cancel, () => {})
  const { report, incidents } = await callAgent(job, desk, {
    phase: 'run',
    cwd: ws.repo.workTree ?? ws.repo.dir,
    access: 'work',
    closes: 'agent',
  })
  const lie = report.failure ?? checkClaim(ws, task, head)
  const result: RunResult =
    lie === null
      ? {
          ...failed(desk, 'not-done', ''),
          end: { ended_at: ws.now(), outcome: 'completed', ...usageOf(report), head: readHead(ws.repo).oid ?? head },
        }
      : failed(desk, lie.reason, lie.detail, usageOf(report))
  const full = { ...result, incidents, resetsAt: report.failure?.resetsAt ?? null, session: report.session }
  if (lie !== null) takeBackClaim(ws, task, lie.detail)
  watcher.ended(job, full, finishJob(ws, taken, full).task)
  return lie === null
}

interface RunOrder {
  agent: Agent
  head: string
  model?: string
}

function runJob(view: LedgerView, config: Config, task: Task, { agent, head, model }: RunOrder): Job {
  const planned = planJob(view, config, task, { run: newRun(view.ws), agent, ...(model !== undefined && { model }) })
  const prompt = fillPrompt(runPrompt, { task_id: task.id, task_content: task.content })
  const maxAttempts = Number.POSITIVE_INFINITY
  return { ...planned, branch: null, output: null, from: head, merge: [], prompt, maxAttempts }
}

function refuseDirtyTree(ws: Workspace): void {
  const dirty = tryGit(ws.repo, ['status', '--porcelain']).stdout.toString().trimEnd()
  if (dirty === '') return
  throw new UserError('DIRTY_TREE', `The work tree has uncommitted changes: ${dirty.split('\n')[0]?.slice(3)}`, {
    hint: 'Commit or stash them first: an agent’s work must be told from yours.',
  })
}

/** Marked done, a commit made, and nothing left lying about: else why not. */
function checkClaim(ws: Workspace, task: Task, head: string): { reason: FailureReason; detail: string } | null {
  const view = readLinkedLedger(ws)
  const now = taskOf(ws.state, view.row.lid, task.uid)
  const dirty = tryGit(ws.repo, ['status', '--porcelain']).stdout.toString().trimEnd()
  if (dirty !== '')
    return { reason: 'dirty-tree', detail: `uncommitted changes were left: ${dirty.split('\n').length} files` }
  if (now?.status !== 'completed') return { reason: 'not-done', detail: 'the agent did not mark the task done' }
  const tip = readHead(ws.repo).oid ?? head
  return commitsSince(ws.repo, head, tip).length > 0
    ? null
    : { reason: 'no-changes', detail: 'it was marked done with no commit' }
}

/** A claim that does not hold is taken back, by the person who started the loop. */
function takeBackClaim(ws: Workspace, task: Task, why: string): void {
  changeLedger(ws, (view) => {
    const now = taskOf(ws.state, view.row.lid, task.uid)
    if (now?.status !== 'completed') return { tasks: [], subject: '', result: null }
    const noted = addNote(reopenTask(now), `not done: ${why}`, { at: ws.now(), by: ws.actor.name }, ws.random(8))
    return { tasks: [noted], subject: `reopen ${task.id}: ${why}`, result: null }
  })
}

/** 002: after three consecutive failures the task gets a note and is left alone for this run. */
function countFailure(ws: Workspace, task: Task, failures: Map<string, number>, report: RunReport): void {
  const count = (failures.get(task.uid) ?? 0) + 1
  failures.set(task.uid, count)
  if (count < FAILURES_BEFORE_SKIP) return
  noteTask(ws, task.id, `skipped: agent failed ${count} times`)
  report.skipped.push(task.id)
}

async function pause(seconds: number, stop: AbortSignal): Promise<void> {
  const until = Date.now() + seconds * 1000
  while (Date.now() < until && !stop.aborted) await Bun.sleep(Math.min(100, until - Date.now()))
}
