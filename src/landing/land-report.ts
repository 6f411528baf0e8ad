import type { Task } from '../core/task/task.ts'

/** What came of a landing, as faces show it. */
export interface LandReport {
  base: string
  landed: LandedTask[]
  returned: ReturnedTask[]
  /** A checkout of the base that keeps it where it is; what is verified lands once it is clean. */
  waiting: WaitingLanding | null
  stopped: { why: 'base-red' | 'cancelled'; detail: string } | null
}

export interface LandedTask {
  number: number
  id: string
  title: string
  base: string
  method: string
  /** Oldest first; none where the base had all of it already. */
  commits: string[]
}

export interface ReturnedTask {
  number: number
  id: string
  title: string
  outcome: 'conflict' | 'red'
  detail: string
  /** The task that answers for the branch and goes back, where another one of it was asked for. */
  lead?: { number: number; id: string }
  /** It goes back to its agent; else it stands in the inbox. */
  sent_back: boolean
}

export interface WaitingLanding {
  path: string
  why: string
  /** By number. */
  tasks: number[]
}

/** Hears what happens while it happens. */
export interface LandWatcher {
  landed(task: LandedTask): void
  returned(task: ReturnedTask): void
  waiting(landing: WaitingLanding, base: string): void
  /** Branches that the landing itself has moved or removed. */
  moved(branches: readonly string[]): void
}

export interface BuildCheck {
  base: string
  commit: string
  ok: boolean
  detail: string
}

/** What landed by itself in the course of a work session. */
export interface SessionLanding {
  base: string
  landed: LandedTask[]
  returned: ReturnedTask[]
  waiting: WaitingLanding | null
  stopped: LandReport['stopped']
  /** The check of the base after the last task; null where nothing landed or nothing is configured. */
  build: BuildCheck | null
}

export interface Lander {
  report: SessionLanding | null
  /** Something was finished: look whether it may land. */
  wake(finished?: Task): void
  /** Finished tasks of this session that may still land: the base lacks what they did. */
  undecided(): readonly Task[]
  /** What is going on now; null: nothing is. */
  landing(): Promise<void> | null
  /** Once, after the last task. */
  verifyBuild(): Promise<void>
  /** Waits for what is going on, and leaves nothing behind. */
  close(): Promise<void>
}
