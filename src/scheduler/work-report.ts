/** What a person sees of `gza work`: events while it goes on, a report at its end. */
import type { ReviewNews } from '../core/run/review-cycles.ts'
import type { Task } from '../core/task/task.ts'
import type { Progress } from '../engine/phase/run-context.ts'
import type { RunPlan, RunResult } from '../engine/phase/run-plan.ts'
import type { LandWatcher, SessionLanding } from '../landing/land-report.ts'
import type { Deadlock } from '../reports/read-deadlock.ts'
import type { Summary } from '../reports/read-summary.ts'
import type { DaySpent } from '../runs/spend/day-budget.ts'

export interface WorkReport {
  completed: RunPlan[]
  /** One for each attempt. */
  failed: { plan: RunPlan; result: RunResult; isFinal: boolean; isFollowUp: boolean }[]
  interrupted: RunPlan[]
  /** Tasks that cannot start as they are. */
  refused: { number: number; id: string; code: string; message: string }[]
  /** Why it stopped while tasks were left: agents at their limit, and agents that could not be started or logged in. */
  paused: { agent: string; until: string }[]
  down: { agent: string; why: string }[]
  /** Set where nothing more can run and something is left. */
  deadlock: Deadlock | null
  /** Set where the day's budget is spent. */
  day: DaySpent | null
  /** Null where nothing lands by itself. */
  landing: SessionLanding | null
  /** How far all work is now, where what is finished lands by itself. */
  summary: Summary | null
}

/** What the face shows while the work goes on, and how it stops it. */
export interface WorkWatcher {
  events: WorkEvents
  /** Aborted: take no further task. */
  stop: AbortSignal
  /** Aborted: end the running phases too. */
  cancel: AbortSignal
}

export interface WorkEvents extends Pick<LandWatcher, 'landed' | 'returned' | 'waiting'> {
  started(plan: RunPlan): void
  progress(plan: RunPlan, progress: Progress): void
  /** How far the review cycles of a task are. */
  reviewMoved(plan: RunPlan, at: { cycle: number; of: number }, news: ReviewNews): void
  ended(plan: RunPlan, result: RunResult, task: Task): void
  reported(sentence: string): void
}
