import type { Agent, Spent } from '../../agents/agent.ts'
import type { Budgets, TypeSettings, VerifySettings, WorktreeSettings } from '../../core/config/settings.ts'
import type { RunEnd } from '../../core/run/run-rules.ts'
import type { Phase, Task } from '../../core/task/task.ts'
import type { PhaseOutcome } from './phase-report.ts'

/** Everything that one run needs to know, decided before it starts. */
export interface RunPlan {
  subject: RunSubject
  worker: RunWorker
  place: RunPlace
  order: RunOrder
  verify: VerifySettings
  worktree: WorktreeSettings
  limits: RunLimits
}

/** Which task, and which attempt at it. */
export interface RunSubject {
  run: string
  attempt: number
  task: Task
  /** The number that the task has now. */
  number: number
  ledger: string
}

/** Who does the work, and with which settings. */
export interface RunWorker {
  agent: Agent
  /** For a review: the reviewer that it stands in for. */
  insteadOf?: string
  settings: TypeSettings
  /** The session of the last attempt, if the agent can continue it. */
  resume: { session: string; spent: Spent } | null
}

/** Where the work starts and where it goes. */
export interface RunPlace {
  /** Null for a task that makes a text and no commits, and in a person's own worktree. */
  branch: string | null
  /** Its worktree; null in a person's own. */
  path: string | null
  /** Where the work starts: the base, then the unmerged work of predecessors. */
  from: string
  merge: readonly string[]
  /** The path of the text that the task must make, below the worktree. */
  output: string | null
}

/** What the agent is asked to do, and how often it is called. */
export interface RunOrder {
  prompt: string
  /** Equal for two orders that ask for the same, although their prompts may differ in what others did meanwhile. */
  promptKey: string
  /** Reviewed and improved within the run, until a review passes; null: it is done once it is verified. */
  review: ReviewPlan | null
  /** Null: the agent is called once. */
  ralph: RalphOrder | null
  /** The outcome of the same order in an earlier run whose worker died: the agent is not called again. */
  earlier: PhaseOutcome | null
}

/** What may be spent. */
export interface RunLimits {
  budgets: Budgets
  /** Infinite if a failure does not close the task, as in `git tasks run`. */
  maxAttempts: number
}

export interface ReviewPlan {
  maxCycles: number
  /** The phases that earlier runs have finished. */
  phases: readonly Phase[]
  /** The commits that workers on this machine have checked. */
  verified: readonly string[]
  /** A person wants it from the beginning. */
  isFresh: boolean
}

/** The agent is called repeatedly with a fresh context, until it promises that the work is done and the checks pass. */
export interface RalphOrder {
  maxIterations: number
  /** What is added to the task's own prompt in each call. */
  template: string
}

/** The result of a run: its end as stored in the ledger, and what it leaves. */
export interface RunResult {
  end: RunEnd
  /** The commits of the work, oldest first. */
  commits: readonly string[]
  text: string | null
  session: string | null
  resetsAt: string | null
  /** The usage limit is that of the model, not of the whole account. */
  ofModel?: boolean
  /** Incidents that a person should see, whatever the outcome. */
  incidents: readonly string[]
  /** The agent that was called last, if it was not the plan's own. */
  caller?: string
  /** The same agent with its settings. */
  reviewer?: Pick<RunWorker, 'agent' | 'settings'>
  /** The check of the whole tree failed. The base may fail it too. */
  failedOnTree?: true
  /** A fault of the machine interrupted it after its worktree was made, so its work is not committed yet. */
  hasWorked?: boolean
}
