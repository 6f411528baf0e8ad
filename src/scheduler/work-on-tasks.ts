import type { Config } from '../core/config/settings.ts'
import { commandLine } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import type { Task } from '../core/task/task.ts'
import type { ReviewNews, RunPlan, RunResult } from '../engine/phase/run-plan.ts'
import type { LandWatcher } from '../landing/land-report.ts'
import type { SessionLanding } from '../landing/lander.ts'
import { type Deadlock, readDeadlock } from '../reports/read-deadlock.ts'
import { readSummary, type Summary } from '../reports/read-summary.ts'
import { untrustedPrompts } from '../runs/prompt/build-prompt.ts'
import { recoverRuns } from '../runs/recover-runs.ts'
import type { DaySpent } from '../runs/spend/day-budget.ts'
import type { RunOptions } from '../runs/take-run.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { assertTrusted } from '../workspace/config/trust-config.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { runWorkSession } from './work-session.ts'

export interface WorkOptions extends RunOptions {
  refs: readonly string[]
  count?: number
  all?: boolean
  workers?: number
}

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
  started(plan: RunPlan): void
  progress(
    plan: RunPlan,
    progress: { phase?: string; action?: string; tokensIn?: number; tokensOut?: number; costUsd?: number },
  ): void
  /** Where the review loop of a task stands. */
  reviewMoved(plan: RunPlan, at: { cycle: number; of: number }, news: ReviewNews): void
  ended(plan: RunPlan, result: RunResult, task: Task): void
  said(sentence: string): void
  landed: LandWatcher['landed']
  returned: LandWatcher['returned']
  waiting: LandWatcher['waiting']
  /** Aborted: take no further task. */
  stop: AbortSignal
  /** Aborted: end the running phases too. */
  cancel: AbortSignal
}

/** Works on the tasks asked for, or on what is ready, and returns when nothing more can be done now. */
export async function workOnTasks(ws: Workspace, options: WorkOptions, watcher: WorkWatcher): Promise<WorkReport> {
  const config = await configurationToWork(ws)
  for (const file of untrustedPrompts(ws)) watcher.said(`${file} is not trusted, and not used: ${commandLine`trust`}`)
  for (const sentence of await recoverRuns(ws)) watcher.said(sentence)
  const report = await runWorkSession({ ws, config, options, watcher })
  const summary = report.landing === null ? null : readSummary(ws)
  return { ...report, summary, deadlock: isThrough(report, options, watcher) ? readDeadlock(ws) : null }
}

/** It looked for work and found no more, and neither a person nor an agent's limit ended it before. */
function isThrough(report: WorkReport, { refs, all }: WorkOptions, { stop, cancel }: WorkWatcher): boolean {
  if (stop.aborted || cancel.aborted || refs.length > 0) return false
  const { completed, failed, paused, down, day } = report
  if (paused.length > 0 || down.length > 0 || day !== null) return false
  return all === true || completed.length + failed.length === 0
}

/** What agents are started with, once it is clear that they may be. */
export async function configurationToWork(ws: Workspace): Promise<Config> {
  assertAllowed('work', ws.actor)
  const config = await loadConfiguration(ws)
  assertTrusted(ws, config)
  return config
}
