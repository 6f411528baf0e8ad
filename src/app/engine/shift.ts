/**
 * The loop that keeps agents working: take what may start, run it, record it, until nothing is left or a person says
 * stop. Each run goes its own way; one that fails holds up no other.
 */
import type { Config } from '../../core/config/settings.ts'
import { selectBatch } from '../../core/select-batch.ts'
import type { Task } from '../../core/task.ts'
import type { Job } from '../../engine/job.ts'
import { changedFilesOf, liveRun } from '../../state/sqlite/live-runs.ts'
import { readLedger } from '../fresh-ledger.ts'
import { liveOf, type Workspace } from '../workspace.ts'
import { pausedUntil } from './pauses.ts'
import { type Finished, performJob } from './perform-job.ts'
import { agentFor, takeJob } from './take-job.ts'
import type { WorkOptions, WorkReport, WorkWatcher } from './work.ts'
import { workableTask, workableTasks } from './workable.ts'

interface Running {
  job: Job
  abort: AbortController
  done: Promise<void>
}

export interface Shift {
  ws: Workspace
  config: Config
  options: WorkOptions
  watcher: WorkWatcher
}

interface Progress extends Shift {
  running: Map<string, Running>
  /** References a person named, and follow-ups that run at once. */
  queue: string[]
  /** Agents whose account has answered: until then one run at a time tries. */
  proven: Set<string>
  report: WorkReport
  started: number
  limit: number
  slots: number
}

const POLL_MS = 200

export async function runShift(shift: Shift): Promise<WorkReport> {
  const { options, config, watcher } = shift
  const isOpen = options.all || options.refs.length > 0
  const state: Progress = {
    ...shift,
    running: new Map(),
    queue: [...options.refs],
    proven: new Set(),
    report: { completed: [], failed: [], interrupted: [], paused: [] },
    started: 0,
    limit: options.count ?? (isOpen ? Number.POSITIVE_INFINITY : 1),
    slots: Math.max(1, options.workers ?? config.parallel_workers),
  }
  watcher.cancel.addEventListener('abort', () => {
    for (const { abort } of state.running.values()) abort.abort()
  })
  for (;;) {
    const waitUntil = watcher.stop.aborted || watcher.cancel.aborted ? null : fillSlots(state)
    if (state.running.size === 0 && waitUntil === null) return state.report
    await waitForChange(state, waitUntil)
  }
}

/** Starts what may start; returns when to look again though nothing is running, or null when nothing is left to wait for. */
function fillSlots(state: Progress): number | null {
  let waitUntil: number | null = null
  for (const { task, notBefore } of candidates(state)) {
    if (state.running.size >= state.slots || state.started >= state.limit) break
    if (notBefore !== null && notBefore > Date.now()) {
      waitUntil = Math.min(waitUntil ?? Number.POSITIVE_INFINITY, notBefore)
      continue
    }
    if (mayCall(state, task)) start(state, task)
  }
  return waitUntil
}

interface Candidate {
  task: Task
  notBefore: number | null
}

function candidates(state: Progress): Candidate[] {
  const view = readLedger(state.ws)
  if (state.queue.length > 0) {
    const tasks = state.queue
      .splice(0)
      .map((ref) => ({ task: workableTask(view, ref, state.options), notBefore: null }))
    return tasks
  }
  if (state.options.refs.length > 0) return retries(state)
  return disjoint(state, workableTasks(view, state.config))
}

/** Of tasks that a person named, only those that failed and may be tried again. */
function retries(state: Progress): Candidate[] {
  const named = new Set(state.report.failed.map(({ job }) => job.task.uid))
  return workableTasks(readLedger(state.ws), state.config).filter(({ task }) => named.has(task.uid))
}

/** Only tasks whose files nobody else touches: declared ones, and those that running tasks have really changed. */
function disjoint(state: Progress, ready: readonly Candidate[]): Candidate[] {
  const runs = [...state.running.values()].map(({ job }) => job)
  const declared = runs.flatMap(({ task }) => filesOf(task))
  const changed = changedFilesOf(liveOf(state.ws), [...state.running.keys()])
  const wanted = ready.map((candidate) => ({ ...candidate, uid: candidate.task.uid, files: filesOf(candidate.task) }))
  return selectBatch(wanted, [...declared, ...changed], wanted.length)
}

function filesOf({ files_to_create = [], files_to_modify = [] }: Task): string[] {
  return [...files_to_create, ...files_to_modify]
}

/** No agent at its limit is called, and one whose account has not answered yet is tried by one run alone. */
function mayCall(state: Progress, task: Task): boolean {
  const { name } = agentFor(state.config, task, state.options)
  const until = pausedUntil(state.ws.env, name, new Date().toISOString())
  if (until !== null) {
    if (!state.report.paused.some(({ agent }) => agent === name)) state.report.paused.push({ agent: name, until })
    return false
  }
  return state.proven.has(name) || [...state.running.values()].every(({ job }) => job.agent.name !== name)
}

function start(state: Progress, task: Task): void {
  const taken = takeJob(readLedger(state.ws), state.config, task, state.options)
  if (taken === null) return
  const { job } = taken
  const abort = new AbortController()
  state.started += 1
  state.watcher.started(job)
  const done = performJob(state, { ...taken, cancel: abort.signal, answered: () => state.proven.add(job.agent.name) })
    .then((finished) => settle(state, job, finished))
    .finally(() => state.running.delete(job.run))
  state.running.set(job.run, { job, abort, done })
}

function settle(state: Progress, job: Job, { result, task, followUp }: Finished): void {
  const { report } = state
  if (result.end.outcome === 'completed') {
    state.proven.add(job.agent.name)
    report.completed.push(job)
  } else if (result.end.outcome === 'interrupted') report.interrupted.push(job)
  else report.failed.push({ job, result, isFinal: task.status === 'failed' })
  if (result.end.reason === 'usage-limit') state.proven.delete(job.agent.name)
  if (followUp !== null) state.queue.push(followUp.id)
  state.watcher.ended(job, result, task)
}

/** Until a run ends, somebody asks for one to be stopped, or it is time to try a failed task again. */
async function waitForChange(state: Progress, waitUntil: number | null): Promise<void> {
  const pause = waitUntil === null ? POLL_MS : Math.min(POLL_MS, Math.max(1, waitUntil - Date.now()))
  await Promise.race([...[...state.running.values()].map(({ done }) => done), Bun.sleep(pause)])
  for (const [run, { abort }] of state.running) {
    if (liveRun(liveOf(state.ws), run)?.cancel !== null) abort.abort()
  }
}
