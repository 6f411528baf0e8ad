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
