import type { Agent, Spent } from '../../agents/agent.ts'
import type { Budgets, TypeSettings, VerifySettings } from '../../core/config/settings.ts'
import type { Limits, Spend } from '../../core/run/budgets.ts'
import type { ReviewStep } from '../../core/run/review-cycles.ts'
import type { FailureReason, RunEnd } from '../../core/run/run-rules.ts'
import type { RunStep } from '../../core/run/run-steps.ts'
import type { Phase, ReviewerVerdict, Task } from '../../core/task/task.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import type { PhaseReport } from './run-phase.ts'
import type { YieldWhile } from './semaphore.ts'

/** Everything one run needs to know, decided before it starts. */
export interface RunPlan {
  run: string
  attempt: number
  task: Task
  /** The number it goes by. */
  number: number
  ledger: string
  agent: Agent
  settings: TypeSettings
  verify: VerifySettings
  budgets: Budgets
  /** Infinite where failing closes nothing, as under `git tasks run`. */
  maxAttempts: number
  /** The session of the last attempt, where the agent can go on with it. */
  resume: { session: string; spent: Spent } | null
  /** Null for tasks that make a text and no commits. */
  branch: string | null
  /** Where the work starts: the base, then the unmerged work of predecessors. */
  from: string
  merge: readonly string[]
  /** The path of the text that the task must make, below the work tree. */
  output: string | null
  prompt: string
  /** Reviewed and improved within the run, until a review passes; null: it is done once it is verified. */
  review: ReviewPlan | null
  /** Null: the agent is called once. */
  ralph: RalphOrder | null
  /** What an earlier run of the same order heard before its worker died: the agent is not called again. */
  phaseOutcome: PhaseOutcome | null
}

export interface ReviewPlan {
  maxCycles: number
  /** What earlier runs have done of it. */
  phases: readonly Phase[]
  /** The commits that workers on this machine have checked. */
  verified: readonly string[]
  reviewer: Agent
  /** A person wants it from the beginning. */
  isFresh: boolean
}

export type PhaseStep = Exclude<ReviewStep, { do: 'finish' }>

/** What a person hears of a loop as it goes. */
export type ReviewNews =
  | { kind: 'began'; phase: PhaseStep['do'] }
  | { kind: 'implemented' }
  | { kind: 'reviewed'; verdict: ReviewerVerdict; summary: string | null }
  | { kind: 'exhausted' }

/** The agent is called with a fresh context again and again, until it promises that the work is done and the checks agree. */
export interface RalphOrder {
  maxIterations: number
  /** What each call is told beside the task's own prompt. */
  template: string
}

/** All that a run needs of its agent's phase once that is over. */
export interface PhaseOutcome {
  report: PhaseReport
  incidents: readonly string[]
  /** What changed outside the workplace meanwhile, by the agent or by a person. */
  strayed: readonly string[]
  /** The text that a task without commits is about. */
  text: string | null
  /** The message for what was left uncommitted. */
  message?: string
}

/** What the engine needs of its surroundings; the app gives it. */
export interface RunContext {
  repo: Repo
  env: Env
  /** gza's own executable, for hooks and the alias of agents. */
  binary: string
  cancel: AbortSignal
  /** Aborted: what runs now is finished, and nothing more is begun. */
  stop: AbortSignal
  now: () => string
  /** Lets other runs go first while the agent or the project's tests are at work. */
  yieldWhile: YieldWhile
  /** Only gza itself has something left to do: the next task may begin before that. Throws as `step` does. */
  startNextEarly: () => Promise<void>
  /** Branches that other running tasks work on. */
  busyBranches: () => string[]
  /** No other run was going on in this repository since then. */
  isAlone: (since: string) => boolean
  /** Looks at the ledger; what was done to it since that moment (of `performance.now()`) and had to be put back. */
  tampering: (since: number) => string[]
  /** Writes down what has been done: recovery reads it. Throws when another run has the workplace now. */
  step: (plan: RunPlan, step: RunStep) => void
  /** For the phase that begins now. */
  openMeter: () => Meter
  /** Keeps what the agent's phase came to: from here on a restart goes on without calling it again. Null forgets it. */
  keepPhaseOutcome: (plan: RunPlan, phaseOutcome: PhaseOutcome | null) => void
  /** One phase of a loop as a job of its own: with its prompt, agent, model and time. */
  planPhase: (plan: RunPlan, step: PhaseStep, tip: string, isFirst: boolean) => RunPlan
  /** Writes a finished phase of a loop to the ledger, with the text it made. Returns why it may not count, or null. */
  recordPhase: (plan: RunPlan, phase: Phase, text: string | null) => string | null
  /** Until when an agent is at its limit; null: it may be called. */
  pausedUntil: (agent: string) => string | null
  reviewNews: (plan: RunPlan, at: { cycle: number; of: number }, news: ReviewNews) => void
  progress: (plan: RunPlan, progress: Progress) => void
  log: (plan: RunPlan, phase: string, stream: 'out' | 'err', line: string, event: unknown) => void
}

/** Watches what one phase spends. */
export interface Meter {
  /** What it may spend, as of its start: clients that can are told. */
  left: Limits
  /** Takes the phase's total so far, and says which budget that has passed, if any. */
  spend: (total: Spend) => string | null
  /** The budget that has nothing left, besides the phase's own. */
  usedUp: () => Extract<FailureReason, 'task-budget' | 'day-budget'> | null
}

export interface Progress {
  /** The model has answered: the agent's account works. */
  answered?: boolean
  phase?: string
  action?: string
  session?: string
  tokensIn?: number
  tokensOut?: number
  costUsd?: number
  turns?: number
  files?: readonly string[]
}

/** How a run came out: the end as the ledger keeps it, and what it leaves. */
export interface RunResult {
  end: RunEnd
  /** The commits of the work, oldest first. */
  commits: readonly string[]
  text: string | null
  session: string | null
  resetsAt: string | null
  /** Things a person should see, whatever the outcome. */
  incidents: readonly string[]
  /** Who was called last, where that was not the job's own agent. */
  caller?: string
}
