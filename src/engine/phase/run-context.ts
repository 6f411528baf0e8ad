import type { Agent } from '../../agents/agent.ts'
import type { Limits, Spend } from '../../core/run/budgets.ts'
import type { RunStep } from '../../core/run/named-steps.ts'
import type { ReviewNews } from '../../core/run/review-cycles.ts'
import type { FailureReason } from '../../core/run/run-rules.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import type { Live } from '../../state/live/open-live.ts'
import type { RunCommits } from '../guard/refs/changed-refs.ts'
import type { RunIsolation } from '../isolation/agent-box/run-level.ts'
import type { NewPhaseRecord } from '../log/phase-records.ts'
import type { PhaseOutcome, PhaseReport } from './phase-report.ts'
import type { YieldWhile } from './semaphore.ts'

/** What a run works with besides its plan. */
export interface RunContext {
  host: RunHost
  slot: Slot
  recorder: RunRecorder
  observer: RunObserver
  others: OtherRuns
  /** Opens a meter for the phase that starts now. */
  openMeter: () => Meter
  /** What the agent has asked a person and nobody has answered; null: nothing. */
  openQuestion: () => string | null
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
  commits: RunCommits
  isolation: RunIsolation
}

/** The worker's slot: who else may run, and who stops the run. */
export interface Slot {
  cancel: AbortSignal
  /** Aborted: the current phase is finished, and nothing new is started. */
  stop: AbortSignal
  /** Does the work while the run holds these locks; waits for them first. */
  whileLocked: <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>
  /** Lets other runs go first while the agent or the project's tests are at work. */
  yieldWhile: YieldWhile
  /**
   * Starts the next task; resolved when its agent is working. Null: there is no task for this slot. `isStored`: a crash
   * loses nothing of what the agent has reported.
   */
  startNextEarly: (isStored: boolean) => Promise<void> | null
}

/** Records what a run has done, for recovery and for people. */
export interface RunRecorder extends OutputRecorder {
  /** Throws when another run has the workplace now. */
  step(step: RunStep): void
  /** Throws when another run has the workplace now. */
  checkLease(): void
  /** What is left uncommitted from here on is not from the last phase. */
  beginPhase(): void
  /**
   * From here on a restart continues without calling the agent again, if it would get the same prompt. Null forgets it.
   */
  keepOutcome(promptKey: string, outcome: PhaseOutcome | null): void
  progress(progress: Progress): void
  /** How long the phase of that name has taken so far, in whole seconds. */
  secondsIn(phase: string): number
}

/** Records what programs print. */
export interface OutputRecorder {
  log(line: AgentLine): void
  /** Writes a line to the log that is not from an agent, or many whole lines as bytes without the last newline. */
  logCommand(phase: string, lines: string | Uint8Array): void
  /** Many lines at once, of which none has an event that matters. */
  logFlood(lines: AgentFlood): void
  /** Records what was held back, at the end of an agent's call. */
  flush(): void
  /** A line of gza itself in the run's log. */
  remark(phase: string, line: string): void
  /** What a phase was given, spent or checked, for people who look back. */
  recordPhase(record: NewPhaseRecord): void
}

export interface AgentLine {
  phase: string
  /** `gza` for messages of gza itself. */
  stream: 'out' | 'err' | 'gza'
  line: string
  event: unknown
}

/** Whole lines as bytes, without the last newline. */
export interface AgentFlood extends Pick<AgentLine, 'phase' | 'stream'> {
  lines: Uint8Array
  eventOf(line: string): unknown
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

/** Receives the events of a run. */
export interface RunObserver {
  /** The workplace is as the agent will find it. */
  prepared(): void
  printed(line: string): void
  /** A model has answered: that of the run's agent, or of another agent that the run calls. */
  answered(agent: Agent): void
  /** A call of that agent has ended. */
  called(agent: Agent, report: PhaseReport): void
  progressed(progress: Progress): void
  reviewMoved(at: { cycle: number; of: number }, news: ReviewNews): void
}

/** Tells changes by this run from changes by others. */
export interface OtherRuns {
  watchdog: LedgerWatchdog
  /** When this process last moved a branch, in a run or by landing, in milliseconds of `performance.now()`. */
  ownMoves: ReadonlyMap<string, number>
  /** When the run began, on the same clock. */
  began: number
}

/** Restores a ledger that an agent moved in spite of the guard. */
export interface LedgerWatchdog {
  look(): void
  /** What was restored since that moment of `performance.now()`, as text. */
  since(moment: number): string[]
}

/** Watches what one phase spends. */
export interface Meter {
  /** What was left when the phase started. It is passed to clients that can limit themselves. */
  left: Limits
  /** Takes the phase's total so far, and returns which budget that has passed, if any. */
  spend: (total: Spend) => string | null
  /** The budget that has nothing left, besides the phase's own. */
  usedUp: () => Extract<FailureReason, 'task-budget' | 'day-budget'> | null
}

/** Only gza itself has work left for this run, so the next task may start before that. */
export async function startNextEarly({ slot, recorder }: RunContext): Promise<void> {
  const begun = slot.startNextEarly(true)
  // If no next task starts, there is nothing to wait for.
  if (begun === null) return
  await slot.yieldWhile(() => begun)
  recorder.checkLease()
}
