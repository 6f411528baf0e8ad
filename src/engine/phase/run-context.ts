import type { Agent } from '../../agents/agent.ts'
import type { Limits, Spend } from '../../core/run/budgets.ts'
import type { RunStep } from '../../core/run/named-steps.ts'
import type { ReviewNews } from '../../core/run/review-cycles.ts'
import type { FailureReason } from '../../core/run/run-rules.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import type { Live } from '../../state/live/open-live.ts'
import type { PhaseOutcome } from './phase-report.ts'
import type { YieldWhile } from './semaphore.ts'

/** What a run works with besides its plan. */
export interface RunContext {
  host: RunHost
  slot: Slot
  recorder: RunRecorder
  observer: RunObserver
  others: OtherRuns
  /** For the phase that begins now. */
  openMeter: () => Meter
}

/** The repository and the machine. */
export interface RunHost {
  repo: Repo
  env: Env
  /** gza's own executable, for hooks and the alias of agents. */
  binary: string
  live: Live
  now: () => string
  /** Milliseconds since 1970. */
  clock: () => number
}

/** The worker's slot: who else may run, and who stops the run. */
export interface Slot {
  cancel: AbortSignal
  /** Aborted: what runs now is finished, and nothing more is begun. */
  stop: AbortSignal
  /** Lets other runs go first while the agent or the project's tests are at work. */
  yieldWhile: YieldWhile
  /** Begins the next task; settled when its agent is at work. Null: there is none for this slot. */
  startNextEarly: () => Promise<void> | null
}

/** Writes down what a run has done: recovery and people read it. */
export interface RunRecorder {
  /** Throws when another run has the workplace now. */
  step(step: RunStep): void
  /** Throws when another run has the workplace now. */
  checkLease(): void
  /** What is left behind from here on is not what the last phase has made. */
  beginPhase(): void
  /** From here on a restart continues without calling the agent again, if it would get the same prompt. Null forgets it. */
  keepOutcome(prompt: string, outcome: PhaseOutcome | null): void
  progress(progress: Progress): void
  log(line: AgentLine): void
}

export interface AgentLine {
  phase: string
  stream: 'out' | 'err'
  line: string
  event: unknown
}

export interface Progress {
  phase?: string
  action?: string
  session?: string
  tokensIn?: number
  tokensOut?: number
  costUsd?: number
  turns?: number
  files?: readonly string[]
}

/** Who follows a run while it goes on. */
export interface RunObserver {
  /** The workplace is as the agent will find it. */
  prepared(): void
  printed(line: string): void
  /** A model has answered: that of the run's agent, or of another one that it calls on the way. */
  answered(agent: Agent): void
  progressed(progress: Progress): void
  reviewMoved(at: { cycle: number; of: number }, news: ReviewNews): void
}

/** What tells the run's own doings from those of others. */
export interface OtherRuns {
  watchdog: LedgerWatchdog
  /** When this process was last at a branch, by a run or by landing, in milliseconds of `performance.now()`. */
  ownMoves: ReadonlyMap<string, number>
  /** When the run began, on the same clock. */
  began: number
}

/** Puts a ledger back that an agent moved around the guard. */
export interface LedgerWatchdog {
  look(): void
  /** What was put back since that moment of `performance.now()`, in words. */
  since(moment: number): string[]
}

/** Watches what one phase spends. */
export interface Meter {
  /** What it may spend, as of its start: clients that can are told. */
  left: Limits
  /** Takes the phase's total so far, and returns which budget that has passed, if any. */
  spend: (total: Spend) => string | null
  /** The budget that has nothing left, besides the phase's own. */
  usedUp: () => Extract<FailureReason, 'task-budget' | 'day-budget'> | null
}

/** Only gza itself has something left to do for this run: the next task may begin before that. */
export async function startNextEarly({ slot, recorder }: RunContext): Promise<void> {
  const begun = slot.startNextEarly()
  // A run that waits for its own end does not let others go first.
  if (begun === null) return
  await slot.yieldWhile(() => begun)
  recorder.checkLease()
}
