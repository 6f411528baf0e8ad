import type { Config } from '../core/config/settings.ts'
import { sentenceText } from '../core/sentence.ts'
import type { Task } from '../core/task/task.ts'
import type { UserError } from '../core/user-error.ts'
import type { RunIsolation } from '../engine/isolation/agent-box/run-level.ts'
import type { LedgerWatchdog } from '../engine/phase/run-context.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import type { Semaphore } from '../engine/phase/semaphore.ts'
import type { Lander } from '../landing/land-report.ts'
import type { TakenSlot } from '../runs/slots/take-slot.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { AccountProbe } from './account-probe.ts'
import type { BaseWatch } from './base/base-watch.ts'
import type { GitMaintenance } from './git-maintenance.ts'
import type { RemoteWatch } from './remote-watch.ts'
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
  isolation: RunIsolation
}

/** Which tasks the session works on, by uid. */
export interface SessionTasks {
  /** Tasks that a person named, in that order; empty: all that are ready. */
  named: readonly string[]
  /** The maximum number of tasks. */
  limit: number
  /** Reviews that belong to a finished task. They run immediately and do not count towards the limit. */
  followUps: Set<string>
  /** Tasks that were tried. The limit counts tasks, not attempts. */
  tried: Set<string>
  /** Tasks that the session does not start again: stopped by a person, or unable to start. */
  leftAlone: Set<string>
  /** Tasks whose agent may have tampered with the ledger. The next run of each runs alone. */
  suspects: Set<string>
}

/** What runs now. */
export interface Slots {
  count: number
  /** By run. */
  running: Map<string, Running>
  semaphore: Semaphore
  /** Agents whose account has answered. Before that, only one run at a time calls an agent. */
  proven: Set<string>
  /** The files that running tasks were found to touch at the last look. */
  busyFiles: { at: number; files: string[] }
  /** When it was last found out why slots are free, on the clock of `performance.now()`. */
  explainedAt: number
  /** An error in a run. It ends the session. */
  broken: Error | null
  /** What this machine lacks: nothing new is started, and the session ends with this error. */
  fault: UserError | null
  /** Wakes the session's main loop. */
  wake: () => void
}

export interface Running {
  plan: RunPlan
  probe: AccountProbe
  abort: AbortController
  done: Promise<void>
  /** Its agent has been called, or it is over. */
  underWay: Promise<void>
  slot: TakenSlot
  /**
   * Not null: another run has its slot, and this one only has to be judged, cleaned up and recorded. Resolves when the
   * other has its agent working, or has had time for that.
   */
  successor: Promise<void> | null
  /** The outcome of its last agent is stored. */
  isStored: boolean
}

/** What works in parallel to the runs. */
interface Services {
  lander: Lander
  watchdog: LedgerWatchdog
  maintenance: GitMaintenance
  remote: RemoteWatch
  base: BaseWatch
  /** When the session itself last moved a branch, in a run or by landing. Such a move is not a stray change. */
  ownMoves: Map<string, number>
}

/** The task cannot start. The others continue, and a person sees the reason. */
export function refuseTask(session: WorkSession, { uid, id, number }: Task, why: UserError): void {
  const { code, message, hint } = why
  session.tasks.leftAlone.add(uid)
  session.report.refused.push({ number, id, code, message })
  session.watcher.events.reported(`Task #${number} cannot start: ${message}`)
  if (hint !== undefined) session.watcher.events.reported(`  ${sentenceText(hint)}`)
}
