import type { BoxAdvice } from '../core/isolation/box-advice.ts'
import type { Task } from '../core/task/task.ts'
import type { StoppedLanding } from './build/land-batch.ts'

/** The result of a landing, as commands show it. */
export interface LandReport {
  base: string
  landed: LandedTask[]
  returned: ReturnedTask[]
  /** A checkout that prevents the base from moving. The verified work lands once it is clean. */
  waiting: WaitingLanding | null
  stopped: StoppedLanding | null
}

export interface LandedTask {
  number: number
  id: string
  title: string
  base: string
  method: string
  /** Oldest first; empty if the base had all of it already. */
  commits: string[]
}

export interface ReturnedTask {
  number: number
  id: string
  title: string
  outcome: 'conflict' | 'red'
  detail: string
  /** The lead task of the branch, which goes back, if another task of the branch was asked for. */
  lead: { number: number; id: string } | null
  /** True: it goes back to its agent. False: it is in the inbox. */
  sent_back: boolean
}

export interface WaitingLanding {
  path: string
  /** The end of a sentence about the checkout. */
  detail: string
  /** The lock that a dead git process has left there; null if something else is the reason. */
  lock: string | null
  /** The numbers of the tasks. */
  numbers: number[]
}

/** Receives events while a landing runs. */
export interface LandWatcher {
  landed(task: LandedTask): void
  returned(task: ReturnedTask): void
  waiting(landing: WaitingLanding, base: string): void
  /** A check has started, on the base with the work of these tasks. Without any, it is the base itself. */
  verifying?(tasks: readonly number[], base: string): void
  /** Branches of tasks that the landing itself moved or removed. */
  moved(branches: readonly string[]): void
}

/** Receives events of the checks on the base, which can take as long as a task. */
export interface CheckWatcher {
  checking(check: BaseCheck): void
  checked(check: BaseCheck, isGreen: boolean, seconds: number): void
}

export interface BaseCheck {
  base: string
  commit: string
  /** Why it is checked: `before agents start`. */
  why: string
  /** The commands of the check. */
  run: string
}

export interface BuildCheck {
  base: string
  commit: string
  ok: boolean
  detail: string
  /** It fails only in a box. */
  in_box: BoxAdvice | null
  /** It fails without a box too. */
  failed_outside: boolean
}

/** What landed automatically during a work session. */
export interface SessionLanding {
  base: string
  landed: LandedTask[]
  returned: ReturnedTask[]
  waiting: WaitingLanding | null
  stopped: LandReport['stopped']
  /** Why the last landing failed; null if it did not. */
  failure: string | null
  /** The check of the base after the last task; null if nothing landed or nothing is configured. */
  build: BuildCheck | null
}

export interface Lander {
  report: SessionLanding | null
  /** Called when a task has finished: checks whether it may land. */
  wake(finished?: Task): void
  /** Finished tasks of this session that may still land: the base lacks what they did. */
  readonly undecided: ReadonlySet<Task>
  /** The landing that is running; null: none is. */
  readonly landing: Promise<void> | null
  /** Called once, after the last task. */
  verifyBase(): Promise<void>
  /** Waits for the running landing, and removes the checkout. */
  close(): Promise<void>
}
