/** Which tasks are reviewed within their run, and what each phase of such a run is told. */

import { configuredAgent } from '../../agents/configured-agent.ts'
import { effective } from '../../core/config/effective.ts'
import type { Config, TypeSettings } from '../../core/config/settings.ts'
import { countedPhases, nextStep, soundPhases, stepName } from '../../core/run/review-cycles.ts'
import { lastFailure, lastRun } from '../../core/run/run-rules.ts'
import type { Phase, Task } from '../../core/task/task.ts'
import type { PhaseStep, ReviewPlan, RunPlan } from '../../engine/phase/run-plan.ts'
import { readRef } from '../../platform/git/refs.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { earlierPhaseOutcome } from '../phase-outcome.ts'
import { isVouchedPhase } from '../record-phase.ts'
import { buildPrompt, reviewText } from './build-prompt.ts'
import { baseCommit } from './start-point.ts'

interface Order {
  branch: string | null
  settings: TypeSettings
  isFresh: boolean
}

/** Null: the task is done once it is verified. */
export function planReview(view: LedgerView, config: Config, task: Task, order: Order): ReviewPlan | null {
  const { branch, settings, isFresh } = order
  if (branch === null || !isReviewed(config, task)) return null
  const isThere = readRef(view.ws.repo, `refs/heads/${branch}`) !== null
  const counted = isFresh || !isThere ? [] : countedPhases(task)
  const isVouched = (phase: Phase) => isVouchedPhase(view.ws, phase)
  return {
    maxCycles: maxCyclesOf(task, settings),
    phases: soundPhases(counted, isVouched),
    verified: counted.filter((phase) => phase.phase !== 'review' && isVouched(phase)).map(({ head }) => head),
    reviewer: configuredAgent(config, settings.review_agent),
    isFresh,
  }
}

export function maxCyclesOf(task: Task, settings: TypeSettings): number {
  return Math.max(1, task.max_review_cycles ?? settings.max_review_cycles)
}

/** An improve task is reviewed by a task of its own, unless it asks for the loop itself. */
export function isReviewed(config: Config, task: Task): boolean {
  if (task.auto_review !== undefined) return task.auto_review
  return task.type !== 'improve' && effective(config, task.type).auto_review
}

/** Would the next run of the task begin with a review? Then its reviewer is called first, and not its agent. */
export function beginsWithReview(view: LedgerView, config: Config, task: Task): boolean {
  const branch = task.branch ?? null
  const review = planReview(view, config, task, { branch, settings: effective(config, task.type), isFresh: false })
  if (review === null || branch === null) return false
  return nextStep(review.phases, review.maxCycles, readRef(view.ws.repo, `refs/heads/${branch}`)).do === 'review'
}

/** One phase as a job of its own. What a dead run heard in it counts, if it is the first of this one. */
export function planPhase(
  view: LedgerView,
  config: Config,
  plan: RunPlan,
  { step, tip, isFirst }: { step: PhaseStep; tip: string; isFirst: boolean },
): RunPlan {
  const known = taskOf(view.ws.state, view.row.lid, plan.task.uid) ?? plan.task
  const task = { ...known, runs: known.runs.filter(({ run }) => run !== plan.run) }
  const failure = lastFailure(task)
  const hasFailedHere = failure !== null && (failure.phase ?? 'implement') === stepName(step)
  const ralph = step.do === 'implement' ? plan.ralph : null
  const phase = { ...plan, ...changesFor(view, config, plan, { step, tip }), ralph, phaseOutcome: null }
  const prompt = buildPrompt(view, hasFailedHere ? task : { ...task, runs: [] }, {
    as: step.do === 'implement' ? task.type : step.do,
    branch: plan.branch,
    output: phase.output,
    judged: step.do === 'review' ? { commit: tip, base: baseCommit(view) } : null,
    verifyHint: config.verify.command === null ? '' : `Your last commit will be checked with: ${config.verify.command}`,
    ...(step.do === 'improve' && { review: reviewText(view, plan.task, step.review), cycle: step.cycle }),
  })
  const planned: RunPlan = { ...phase, prompt, resume: isFirst && isOfSession(task, step) ? plan.resume : null }
  const mayHaveOutcome = isFirst && plan.review?.isFresh !== true
  return { ...planned, phaseOutcome: mayHaveOutcome ? earlierPhaseOutcome(view.ws, task, planned) : null }
}

/** The session of the last run is that of the phase it stopped in; a dead run keeps only that of an unfinished one. */
function isOfSession(task: Task, step: PhaseStep): boolean {
  const stoppedIn = lastRun(task)?.phase
  return step.do !== 'review' && (stoppedIn === undefined || stoppedIn === stepName(step))
}

function changesFor(
  view: LedgerView,
  config: Config,
  plan: RunPlan,
  { step, tip }: { step: PhaseStep; tip: string },
): Pick<RunPlan, 'agent' | 'settings' | 'branch' | 'from' | 'output'> {
  const { agent, settings, branch, from } = plan
  switch (step.do) {
    case 'implement':
      return { agent, settings, branch, from, output: null }
    case 'improve':
      return {
        ...{ agent, branch, from, output: null },
        settings: { ...settings, timeout_minutes: settings.improve_timeout_minutes },
      }
    case 'review':
      return {
        // On no branch: the reviewer may move none, the task's own neither.
        ...{ agent: reviewerOf(config, plan), branch: null, from: tip, output: reviewPath(view, plan, step.cycle) },
        settings: { ...settings, model: settings.review_model, timeout_minutes: settings.review_timeout_minutes },
      }
    default:
      return step satisfies never
  }
}

function reviewerOf(config: Config, { review, settings }: RunPlan) {
  return review?.reviewer ?? configuredAgent(config, settings.review_agent)
}

/**
 * `YYYYMMDD-task-N-review-K.md`; a loop that was started anew leaves the reviews of the last one alone. The name follows
 * from the ledger alone: a restart must find the same, or what the reviewer said would be no answer to what it is told.
 */
function reviewPath(view: LedgerView, { task, number }: RunPlan, cycle: number): string {
  const date = task.created_at.slice(0, 10).replaceAll('-', '')
  const name = `${date}-task-${number}-review-${cycle}`
  const taken = new Set(artifactsOf(view.ws.state, view.row.lid, `artifacts/${task.uid}/`).map(({ path }) => path))
  const names = [name, ...[...taken].map((_, at) => `${name}-again-${at + 1}`)]
  return `.gza/reviews/${names.find((free) => !taken.has(`artifacts/${task.uid}/${free}.md`))}.md`
}
