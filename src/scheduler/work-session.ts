/**
 * The loop that keeps agents working: take what may start, run it, record it, until nothing is left or a person says
 * stop. Each run goes its own way; one that fails holds up no other, and whatever ends the loop, no agent outlives it.
 */

import type { Config } from '../core/config/settings.ts'
import { whyTaskSpent } from '../core/run/budgets.ts'
import { isAgentDown } from '../core/run/run-rules.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import type { Job } from '../engine/phase/run-plan.ts'
import { openTurns, type Turns } from '../engine/phase/semaphore.ts'
import { type Lander, openLander } from '../landing/lander.ts'
import { coreCount } from '../platform/processes/machine.ts'
import { forgetPause } from '../runs/spend/agent-pauses.ts'
import { branchBusy, isBranchBusy, type TakenJob, takeJob } from '../runs/take-run.ts'
import { workableTask } from '../runs/workable.ts'
import { taskOf } from '../state/index/find-entries.ts'
import { liveRun } from '../state/live/live-runs.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { type WatchedSigns, watchSigns } from './account-probe.ts'
import { checkNamed, whyNotWorkable } from './choose/candidates.ts'
import { chooseTasks, isWithinLimit } from './choose/choose-tasks.ts'
import { mayCall } from './choose/may-call.ts'
import { slotsOf, taskLimit } from './choose/work-limits.ts'
import { openUpkeep, type Upkeep } from './git-maintenance.ts'
import { keepLedger, type LedgerKeeper } from './ledger-watchdog.ts'
import { type Finished, performJob } from './perform-run.ts'
import { handOver } from './start-next-early.ts'
import type { WorkOptions, WorkReport, WorkWatcher } from './work-on-tasks.ts'

export interface Shift {
  ws: Workspace
  config: Config
  options: WorkOptions
  watcher: WorkWatcher
  /** When this shift itself was last at a branch, by a run or by landing: whoever ran then has not strayed there. */
  ownMoves?: Map<string, number>
}

export interface Running {
  job: Job
  signs: WatchedSigns
  abort: AbortController
  done: Promise<void>
  /** Its agent has been called, or it is over. */
  underWay: Promise<void>
  /** Another has its slot: it only has to be tidied away and written down. */
  hasHandedOver: boolean
}

export interface ShiftState extends Shift {
  keeper: LedgerKeeper
  lander: Lander
  turns: Turns
  upkeep: Upkeep
  running: Map<string, Running>
  /** Uids of the tasks that a person named, in that order; empty: whatever is ready. */
  named: readonly string[]
  /** Uids of reviews that come with a finished task: they run at once and beyond any count. */
  followUps: Set<string>
  /** Uids of the tasks that were tried: `--count` counts tasks, and another attempt at one is no other task. */
  tried: Set<string>
  /** Uids of the tasks that this shift leaves alone from now on: stopped by a person, or unable to start. */
  setAside: Set<string>
  /** Uids of the tasks whose agent may have tampered with the ledger: the next run of each has nobody beside it. */
  suspects: Set<string>
  /** Agents whose account has answered: until then one run at a time tries. */
  proven: Set<string>
  report: WorkReport
  limit: number
  slots: number
  /** What broke outside of the loop, which ends with it. */
  broken: Error | null
  /** Ends the loop's pause. */
  wake: () => void
  /** Pairs of commits that were looked at, and whether they clash: that never changes. */
  clashes: Map<string, boolean>
  /** The files that were found busy at the last look. */
  looked: { at: number; files: string[] }
}

const POLL_MS = 200

export async function runShift(shift: Shift): Promise<WorkReport> {
  const state = beginShift(shift)
  const { watcher } = shift
  watcher.cancel.addEventListener('abort', () => stopAll(state))
  try {
    for (;;) {
      if (state.broken !== null) throw state.broken
      const waitUntil = watcher.stop.aborted || watcher.cancel.aborted ? null : fillSlots(state)
      // What could not land may be open again.
      if (state.running.size === 0 && waitUntil === null && state.lander.landing() === null) break
      await waitForChange(state, waitUntil)
    }
    if (!watcher.stop.aborted && !watcher.cancel.aborted) tellTaken(state)
    await state.lander.verifyBuild()
  } finally {
    stopAll(state)
    await Promise.all([...state.running.values()].map(({ done }) => done))
    await state.lander.close()
    await state.upkeep.close()
  }
  return state.report
}

export function beginShift(shift: Shift): ShiftState {
  const { ws, config, options } = shift
  const { uids: named, refused } = checkNamed(readLedger(ws), config.budgets, options)
  const ownMoves = new Map<string, number>()
  const lander = openLander({ ...shift, ownMoves })
  const state: ShiftState = {
    ...shift,
    lander,
    turns: openTurns(coreCount()),
    upkeep: openUpkeep(ws.repo),
    ownMoves,
    keeper: keepLedger(ws, shift.watcher.said),
    running: new Map(),
    named,
    followUps: new Set(),
    tried: new Set(),
    setAside: new Set(),
    suspects: new Set(),
    proven: new Set(),
    report: {
      ...{ completed: [], failed: [], interrupted: [], refused: [], paused: [], down: [], day: null },
      ...{ landing: lander.report, summary: null, deadlock: null },
    },
    limit: taskLimit(options),
    slots: slotsOf(options, config),
    broken: null,
    wake: () => {},
    clashes: new Map(),
    looked: { at: Number.NEGATIVE_INFINITY, files: [] },
  }
  for (const { task, why } of refused) refuse(state, task, why)
  lander.wake()
  return state
}

function stopAll(state: ShiftState): void {
  for (const { abort } of state.running.values()) abort.abort()
}

/** Starts what may start; returns when to look again though nothing is running, or null when nothing is left to wait for. */
function fillSlots(state: ShiftState): number | null {
  state.keeper.look()
  if (takenSlots(state) >= state.slots) return null
  const choice = chooseTasks(state)
  for (const { task } of choice.tasks) {
    if (takenSlots(state) >= state.slots || isWatchingOne(state)) break
    if (!isWithinLimit(state, task) || (state.suspects.has(task.uid) && state.running.size > 0)) continue
    start(state, task)
  }
  return choice.waiting.length === 0 ? null : Math.min(...choice.waiting)
}

function takenSlots({ running }: ShiftState): number {
  return [...running.values()].filter(({ hasHandedOver }) => !hasHandedOver).length
}

function isWatchingOne({ running, suspects }: ShiftState): boolean {
  return [...running.values()].some(({ job }) => suspects.has(job.task.uid))
}

/** Null: it could not be begun. */
function start(state: ShiftState, task: Task): Running | null {
  try {
    if (!mayCall(state, task)) return null
    const taken = takeJob(readLedger(state.ws), state.config, task, state.options)
    if (taken !== null) return begin(state, taken)
    // Another was faster: whoever named the task hears of it.
    if (state.named.includes(task.uid)) workableTask(readLedger(state.ws), task.id, state.options)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    refuse(state, task, error)
  }
  return null
}

function begin(state: ShiftState, taken: TakenJob): Running {
  const { job } = taken
  const abort = new AbortController()
  const isTrying = state.slots > 1 && !state.proven.has(job.agent.name)
  const signs = watchSigns(state.ws, job, { isTrying, prove: (agent) => prove(state, agent) })
  if (!state.followUps.has(job.task.uid)) state.tried.add(job.task.uid)
  state.watcher.started(job)
  const { promise: underWay, resolve } = Promise.withResolvers<void>()
  const controls = { cancel: abort.signal, signs, underWay: resolve, handOver: () => handOver(state, job, start) }
  const done = performJob(state, { ...taken, ...controls })
    .then((finished) => settle(state, job, finished))
    // One that breaks must not end the wait for the others, and the loop may not wait for this one yet.
    .catch((error: Error) => {
      state.broken ??= error
    })
    .finally(() => {
      resolve()
      state.running.delete(job.run)
    })
  const running = { job, signs, abort, done, underWay, hasHandedOver: false }
  state.running.set(job.run, running)
  return running
}

/** Another was faster between our first look and our choice, or has the branch. */
function tellTaken(state: ShiftState): void {
  const view = readLedger(state.ws)
  for (const uid of state.named) {
    const task = taskOf(state.ws.state, view.row.lid, uid)
    if (task === null || state.tried.has(uid) || state.setAside.has(uid)) continue
    const why = whyNotWorkable(view, state.config.budgets, task, {})
    if (why?.code === 'TASK_RUNNING' || why?.code === 'TASK_CLOSED') refuse(state, task, why)
    else if (why === null && isBranchBusy(view, task)) refuse(state, task, branchBusy(view, task))
  }
}

/** From now on it may be called by several runs at once: those that waited for that start now. */
function prove({ ws, proven, wake }: ShiftState, agent: string): void {
  if (proven.has(agent)) return
  forgetPause(ws.env, agent, new Date().toISOString())
  proven.add(agent)
  wake()
}

/** It cannot start as it is: the others go on, and a person hears why. */
function refuse(state: ShiftState, { uid, id, number }: Task, { code, message }: UserError): void {
  state.setAside.add(uid)
  state.report.refused.push({ number, id, code, message })
  state.watcher.said(`Task #${number} cannot start: ${message}`)
}

function settle(state: ShiftState, job: Job, { result, task, followUp, unrecorded }: Finished): void {
  const { report } = state
  const { outcome, reason } = result.end
  const caller = result.caller ?? job.agent.name
  if (outcome === 'completed') report.completed.push(job)
  else if (outcome === 'interrupted') {
    report.interrupted.push(job)
    state.setAside.add(task.uid)
    if (unrecorded) report.refused.push({ number: job.number, id: task.id, ...unrecorded })
  } else {
    report.failed.push({ job, result, isFinal: needsPerson(state, task), isFollowUp: state.followUps.has(task.uid) })
    if (isAgentDown(reason)) report.down.push({ agent: caller, why: result.end.detail ?? '' })
  }
  if (reason === 'usage-limit') state.proven.delete(caller)
  else if (outcome !== 'interrupted' && !isAgentDown(reason)) prove(state, caller)
  if (reason === 'suspected') state.suspects.add(task.uid)
  if (followUp !== null) state.followUps.add(followUp.uid)
  if (job.branch !== null) state.ownMoves?.set(job.branch, performance.now())
  // Its files are free.
  state.looked.at = Number.NEGATIVE_INFINITY
  state.upkeep.look()
  state.watcher.ended(job, result, task)
  if (outcome === 'completed') state.lander.wake(task)
}

/** Agents don't try it again: it has failed, or there is nothing left to spend on it. */
function needsPerson({ config, watcher }: ShiftState, task: Task): boolean {
  const spent = whyTaskSpent(config.budgets, task)
  if (spent !== null) watcher.said(`Task #${task.number} has spent its budget (${spent}): gza inbox`)
  return spent !== null || task.status === 'failed'
}

/** Until a run ends, somebody asks for one to be stopped, or it is time to try a failed task again. */
async function waitForChange(state: ShiftState, waitUntil: number | null): Promise<void> {
  const pause = waitUntil === null ? POLL_MS : Math.min(POLL_MS, Math.max(1, waitUntil - Date.now()))
  const { promise: woken, resolve } = Promise.withResolvers<void>()
  state.wake = resolve
  const landing = state.lander.landing()
  const ends = [...[...state.running.values()].map(({ done }) => done), ...(landing === null ? [] : [landing])]
  await Promise.race([...ends, woken, Bun.sleep(pause)])
  for (const [run, { abort }] of state.running) {
    if (typeof liveRun(liveOf(state.ws), run)?.cancel === 'string') abort.abort()
  }
}
