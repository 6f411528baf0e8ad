/**
 * The loop that keeps agents working: take what may start, run it, record it, until nothing is left or a person says
 * stop. Each run goes its own way; one that fails holds up no other, and whatever ends the loop, no agent outlives it.
 */

import type { Config } from '../core/config/settings.ts'
import { whyTaskSpent } from '../core/run/budgets.ts'
import { isAgentDown } from '../core/run/run-rules.ts'
import { commandLine } from '../core/sentence.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { openSemaphore, type Semaphore } from '../engine/phase/semaphore.ts'
import { type Lander, openLander } from '../landing/lander.ts'
import { coreCount } from '../platform/processes/machine.ts'
import { forgetPause } from '../runs/spend/agent-pauses.ts'
import { branchBusy, isBranchBusy, type TakenRun, takeRun } from '../runs/take-run.ts'
import { workableTask } from '../runs/workable.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { liveRun } from '../state/live/live-runs.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { type AccountProbe, openAccountProbe } from './account-probe.ts'
import { checkNamed, whyNotWorkable } from './choose/candidates.ts'
import { chooseTasks, isWithinLimit } from './choose/choose-tasks.ts'
import { mayCall } from './choose/may-call.ts'
import { slotsOf, taskLimit } from './choose/work-limits.ts'
import { type GitMaintenance, openGitMaintenance } from './git-maintenance.ts'
import { type LedgerWatchdog, watchLedger } from './ledger-watchdog.ts'
import { type Finished, performRun } from './perform-run.ts'
import { startNextEarly } from './start-next-early.ts'
import type { WorkOptions, WorkReport, WorkWatcher } from './work-on-tasks.ts'

export interface SessionInput {
  ws: Workspace
  config: Config
  options: WorkOptions
  watcher: WorkWatcher
  /** When this shift itself was last at a branch, by a run or by landing: whoever ran then has not strayed there. */
  ownMoves?: Map<string, number>
}

export interface Running {
  plan: RunPlan
  probe: AccountProbe
  abort: AbortController
  done: Promise<void>
  /** Its agent has been called, or it is over. */
  underWay: Promise<void>
  /** Another has its slot: it only has to be tidied away and written down. */
  hasGivenUpSlot: boolean
}

export interface WorkSession extends SessionInput {
  watchdog: LedgerWatchdog
  lander: Lander
  semaphore: Semaphore
  maintenance: GitMaintenance
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

export async function runWorkSession(session: SessionInput): Promise<WorkReport> {
  const state = openWorkSession(session)
  const { watcher } = session
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
    await state.maintenance.close()
  }
  return state.report
}

export function openWorkSession(session: SessionInput): WorkSession {
  const { ws, config, options } = session
  const { uids: named, refused } = checkNamed(readLedger(ws), config.budgets, options)
  const ownMoves = new Map<string, number>()
  const lander = openLander({ ...session, ownMoves })
  const state: WorkSession = {
    ...session,
    lander,
    semaphore: openSemaphore(coreCount()),
    maintenance: openGitMaintenance(ws.repo),
    ownMoves,
    watchdog: watchLedger(ws, session.watcher.said),
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

function stopAll(state: WorkSession): void {
  for (const { abort } of state.running.values()) abort.abort()
}

/** Starts what may start; returns when to look again though nothing is running, or null when nothing is left to wait for. */
function fillSlots(state: WorkSession): number | null {
  state.watchdog.look()
  if (takenSlots(state) >= state.slots) return null
  const choice = chooseTasks(state)
  for (const { task } of choice.tasks) {
    if (takenSlots(state) >= state.slots || isWatchingOne(state)) break
    if (!isWithinLimit(state, task) || (state.suspects.has(task.uid) && state.running.size > 0)) continue
    start(state, task)
  }
  return choice.waiting.length === 0 ? null : Math.min(...choice.waiting)
}

function takenSlots({ running }: WorkSession): number {
  return [...running.values()].filter(({ hasGivenUpSlot }) => !hasGivenUpSlot).length
}

function isWatchingOne({ running, suspects }: WorkSession): boolean {
  return [...running.values()].some(({ plan }) => suspects.has(plan.task.uid))
}

/** Null: it could not be begun. */
function start(state: WorkSession, task: Task): Running | null {
  try {
    if (!mayCall(state, task)) return null
    const taken = takeRun(readLedger(state.ws), state.config, task, state.options)
    if (taken !== null) return begin(state, taken)
    // Another was faster: whoever named the task hears of it.
    if (state.named.includes(task.uid)) workableTask(readLedger(state.ws), task.id, state.options)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    refuse(state, task, error)
  }
  return null
}

function begin(state: WorkSession, taken: TakenRun): Running {
  const { plan } = taken
  const abort = new AbortController()
  const isTrying = state.slots > 1 && !state.proven.has(plan.agent.name)
  const probe = openAccountProbe(state.ws, plan, { isTrying, prove: (agent) => prove(state, agent) })
  if (!state.followUps.has(plan.task.uid)) state.tried.add(plan.task.uid)
  state.watcher.started(plan)
  const { promise: underWay, resolve } = Promise.withResolvers<void>()
  const controls = {
    cancel: abort.signal,
    probe,
    underWay: resolve,
    startNextEarly: () => startNextEarly(state, plan, start),
  }
  const done = performRun(state, { ...taken, ...controls })
    .then((finished) => settle(state, plan, finished))
    // One that breaks must not end the wait for the others, and the loop may not wait for this one yet.
    .catch((error: Error) => {
      state.broken ??= error
    })
    .finally(() => {
      resolve()
      state.running.delete(plan.run)
    })
  const running = { plan, probe, abort, done, underWay, hasGivenUpSlot: false }
  state.running.set(plan.run, running)
  return running
}

/** Another was faster between our first look and our choice, or has the branch. */
function tellTaken(state: WorkSession): void {
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
function prove({ ws, proven, wake }: WorkSession, agent: string): void {
  if (proven.has(agent)) return
  forgetPause(ws, agent)
  proven.add(agent)
  wake()
}

/** It cannot start as it is: the others go on, and a person hears why. */
function refuse(state: WorkSession, { uid, id, number }: Task, { code, message }: UserError): void {
  state.setAside.add(uid)
  state.report.refused.push({ number, id, code, message })
  state.watcher.said(`Task #${number} cannot start: ${message}`)
}

function settle(state: WorkSession, plan: RunPlan, { result, task, followUp, unrecorded }: Finished): void {
  const { report } = state
  const { outcome, reason } = result.end
  const caller = result.caller ?? plan.agent.name
  if (outcome === 'completed') report.completed.push(plan)
  else if (outcome === 'interrupted') {
    report.interrupted.push(plan)
    state.setAside.add(task.uid)
    if (unrecorded) report.refused.push({ number: plan.number, id: task.id, ...unrecorded })
  } else {
    report.failed.push({ plan, result, isFinal: needsPerson(state, task), isFollowUp: state.followUps.has(task.uid) })
    if (isAgentDown(reason)) report.down.push({ agent: caller, why: result.end.detail ?? '' })
  }
  if (reason === 'usage-limit') state.proven.delete(caller)
  else if (outcome !== 'interrupted' && !isAgentDown(reason)) prove(state, caller)
  if (reason === 'suspected') state.suspects.add(task.uid)
  if (followUp !== null) state.followUps.add(followUp.uid)
  if (plan.branch !== null) state.ownMoves?.set(plan.branch, performance.now())
  // Its files are free.
  state.looked.at = Number.NEGATIVE_INFINITY
  state.maintenance.look()
  state.watcher.ended(plan, result, task)
  if (outcome === 'completed') state.lander.wake(task)
}

/** Agents don't try it again: it has failed, or there is nothing left to spend on it. */
function needsPerson({ config, watcher }: WorkSession, task: Task): boolean {
  const spent = whyTaskSpent(config.budgets, task)
  if (spent !== null) watcher.said(`Task #${task.number} has spent its budget (${spent}): ${commandLine`inbox`}`)
  return spent !== null || task.status === 'failed'
}

/** Until a run ends, somebody asks for one to be stopped, or it is time to try a failed task again. */
async function waitForChange(state: WorkSession, waitUntil: number | null): Promise<void> {
  const pause = waitUntil === null ? POLL_MS : Math.min(POLL_MS, Math.max(1, waitUntil - state.ws.clock()))
  const { promise: woken, resolve } = Promise.withResolvers<void>()
  state.wake = resolve
  const landing = state.lander.landing()
  const ends = [...[...state.running.values()].map(({ done }) => done), ...(landing === null ? [] : [landing])]
  await Promise.race([...ends, woken, Bun.sleep(pause)])
  for (const [run, { abort }] of state.running) {
    if (typeof liveRun(liveOf(state.ws), run)?.cancel === 'string') abort.abort()
  }
}
