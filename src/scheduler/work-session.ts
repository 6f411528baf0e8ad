import type { Config } from '../core/config/settings.ts'
import type { Task } from '../core/task/task.ts'
import type { UserError } from '../core/user-error.ts'
import type { LedgerWatchdog } from '../engine/phase/run-context.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import type { Semaphore } from '../engine/phase/semaphore.ts'
import type { Lander } from '../landing/land-report.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { AccountProbe } from './account-probe.ts'
import type { GitMaintenance } from './git-maintenance.ts'
import type { WorkOptions } from './work-options.ts'
import type { WorkReport, WorkWatcher } from './work-report.ts'

/** One `gza work`, from its first look for tasks until nothing is left to do. */
export interface WorkSession extends SessionInput {
  tasks: SessionTasks
  slots: Slots
  services: Services
  report: WorkReport
}

export interface SessionInput {
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

/** It cannot start as it is: the others continue, and a person is told why. */
export function refuseTask(session: WorkSession, { uid, id, number }: Task, { code, message }: UserError): void {
  session.tasks.leftAlone.add(uid)
  session.report.refused.push({ number, id, code, message })
  session.watcher.events.reported(`Task #${number} cannot start: ${message}`)
}
