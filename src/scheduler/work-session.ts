import type { Config } from '../core/config/settings.ts'
import type { Task } from '../core/task/task.ts'
import type { UserError } from '../core/user-error.ts'
import type { LedgerWatchdog } from '../engine/phase/run-context.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { openSemaphore, type Semaphore } from '../engine/phase/semaphore.ts'
import { type Lander, openLander } from '../landing/lander.ts'
import { coreCount } from '../platform/processes/machine.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { AccountProbe } from './account-probe.ts'
import { checkNamed } from './choose/check-named.ts'
import { type GitMaintenance, openGitMaintenance } from './git-maintenance.ts'
import { watchLedger } from './ledger-watchdog.ts'
import { slotsOf, taskLimit, type WorkOptions } from './work-options.ts'
import type { WorkReport, WorkWatcher } from './work-report.ts'

/** One `gza work`, from its first look for tasks until nothing is left to do. */
export interface WorkSession extends SessionInput {
  tasks: SessionTasks
  slots: Slots
  services: Services
  report: WorkReport
}

interface SessionInput {
  ws: Workspace
  config: Config
  options: WorkOptions
  watcher: WorkWatcher
}

/** Which tasks the session works on, by uid. */
export interface SessionTasks {
  /** Those that a person named, in that order; empty: whatever is ready. */
  named: readonly string[]
  /** How many at most. */
  limit: number
  /** Reviews that come with a finished task: they run at once and beyond any limit. */
  followUps: Set<string>
  /** Those that were tried: the limit counts tasks, and another attempt at one is not another task. */
  tried: Set<string>
  /** Those that the session leaves alone from now on: stopped by a person, or unable to start. */
  leftAlone: Set<string>
  /** Those whose agent may have tampered with the ledger: the next run of each has nobody beside it. */
  suspects: Set<string>
}

/** What runs now. */
export interface Slots {
  count: number
  /** By run. */
  running: Map<string, Running>
  semaphore: Semaphore
  /** Agents whose account has answered: until then one run at a time tries. */
  proven: Set<string>
  /** The files that running tasks were found to touch at the last look. */
  busyFiles: { at: number; files: string[] }
  /** What broke in a run, beside the session's own loop, which ends with it. */
  broken: Error | null
  /** Ends the pause of the session's loop. */
  wake: () => void
}

export interface Running {
  plan: RunPlan
  probe: AccountProbe
  abort: AbortController
  done: Promise<void>
  /** Its agent has been called, or it is over. */
  underWay: Promise<void>
  /** Another has its slot: it only has to be cleaned up and recorded. */
  hasGivenUpSlot: boolean
}

/** What goes on beside the runs. */
interface Services {
  lander: Lander
  watchdog: LedgerWatchdog
  maintenance: GitMaintenance
  /** When the session itself was last at a branch, by a run or by landing: a run of that time has not strayed there. */
  ownMoves: Map<string, number>
}

export function openWorkSession(input: SessionInput): WorkSession {
  const { ws, config, options, watcher } = input
  const { uids: named, refused } = checkNamed(readLedger(ws), config.budgets, options)
  const ownMoves = new Map<string, number>()
  const { stop, cancel, events } = watcher
  const lander = openLander({ ws, config, ownMoves, watcher: { ...events, stop, cancel } })
  const session: WorkSession = {
    ...input,
    tasks: {
      named,
      limit: taskLimit(options),
      followUps: new Set(),
      tried: new Set(),
      leftAlone: new Set(),
      suspects: new Set(),
    },
    slots: {
      count: slotsOf(options, config),
      running: new Map(),
      semaphore: openSemaphore(coreCount()),
      proven: new Set(),
      busyFiles: { at: Number.NEGATIVE_INFINITY, files: [] },
      broken: null,
      wake: () => {},
    },
    services: {
      lander,
      watchdog: watchLedger(ws, events.reported),
      maintenance: openGitMaintenance(ws.repo),
      ownMoves,
    },
    report: {
      ...{ completed: [], failed: [], interrupted: [], refused: [], paused: [], down: [], day: null },
      ...{ landing: lander.report, summary: null, deadlock: null },
    },
  }
  for (const { task, why } of refused) refuseTask(session, task, why)
  lander.wake()
  return session
}

/** It cannot start as it is: the others continue, and a person is told why. */
export function refuseTask(session: WorkSession, { uid, id, number }: Task, { code, message }: UserError): void {
  session.tasks.leftAlone.add(uid)
  session.report.refused.push({ number, id, code, message })
  session.watcher.events.reported(`Task #${number} cannot start: ${message}`)
}
