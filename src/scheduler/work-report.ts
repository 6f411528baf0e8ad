/** What a person sees of `gza work`: events during the work, and a report at its end. */
import type { BoxAdvice } from '../core/isolation/box-advice.ts'
import type { ReviewNews } from '../core/run/review-cycles.ts'
import type { Summary } from '../core/task/summarise.ts'
import type { Task } from '../core/task/task.ts'
import type { UserError } from '../core/user-error.ts'
import type { PhaseReport } from '../engine/phase/phase-report.ts'
import type { Progress } from '../engine/phase/run-context.ts'
import type { RunPlan, RunResult } from '../engine/phase/run-plan.ts'
import type { CheckWatcher, LandWatcher, SessionLanding } from '../landing/land-report.ts'
import type { Deadlock } from '../reports/read-deadlock.ts'
import type { DaySpent } from '../runs/spend/day-budget.ts'

export interface WorkReport {
  completed: RunPlan[]
  /** One for each attempt. */
  failed: { plan: RunPlan; result: RunResult; isFinal: boolean; isFollowUp: boolean }[]
  interrupted: RunPlan[]
  /** Tasks whose agent has asked a person. */
  asked: { number: number; id: string; question: string }[]
  /** Tasks that cannot start as they are. */
  refused: { number: number; id: string; code: string; message: string }[]
  /** Why it stopped while tasks were left: agents at their limit, and agents that could not be started or logged in. */
  paused: { agent: string; until: string }[]
  down: { agent: string; why: string }[]
  /** Set if nothing more can run but tasks are left. */
  deadlock: Deadlock | null
  /** Set if the day's budget is used up. */
  day: DaySpent | null
  /** Null if nothing lands automatically. */
  landing: SessionLanding | null
  /** The progress of all work now, if finished tasks land automatically. */
  summary: Summary | null
  /** Set if tasks did not start because the base fails its own checks. */
  baseRed: BaseRed | null
  /** A fault of the machine that stopped the work. */
  fault: UserError | null
}

/** A base that fails its own checks. */
export interface BaseRed {
  base: string
  commit: string
  /** Which check, the test that failed, and the last lines of its output. */
  detail: string
  /** The commands that show it. */
  run: string
  /** It fails only in a box. */
  in_box: BoxAdvice | null
}

/** Shows a person the events of the work, and lets them stop it. */
export interface WorkWatcher {
  events: WorkEvents
  /** Aborted: take no further task. */
  stop: AbortSignal
  /** Aborted: end the running phases too. */
  cancel: AbortSignal
  /** The checks on the base, and what they hold up. */
  base?: BaseEvents
  /** For a person at a terminal: what they should know before agents start; `night`: also about the whole session. */
  before?: { night: boolean; announced: (line: string) => void }
  /** For a person at a terminal: how many slots are free while tasks run, and why; null: none. */
  idle?: (idle: { free: number; why: string } | null) => void
  /** A call of an agent has ended. */
  called?: (agent: string, report: PhaseReport) => void
}

export interface BaseEvents extends CheckWatcher {
  /** Work waits until the base has moved, because it is red. Null: work continues. */
  held(red: BaseRed | null): void
}

export interface WorkEvents extends Pick<LandWatcher, 'landed' | 'returned' | 'waiting'> {
  started(plan: RunPlan): void
  progress(plan: RunPlan, progress: Progress): void
  /** Reports the progress of a task's review cycles. */
  reviewMoved(plan: RunPlan, at: { cycle: number; of: number }, news: ReviewNews): void
  ended(plan: RunPlan, result: RunResult, task: Task): void
  reported(sentence: string): void
}
