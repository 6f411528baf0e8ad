/** Decides which tasks are reviewed within their run, and plans each phase of such a run. */

import { effective } from '../../core/config/effective.ts'
import type { Config, TypeSettings } from '../../core/config/settings.ts'
import type { Prompt } from '../../core/documents/fit-prompt.ts'
import { countedPhases, nextPhase, type PhaseStep, soundPhases, stepName } from '../../core/run/review-cycles.ts'
import { lastFailure, lastRun } from '../../core/run/run-rules.ts'
import type { Phase, Task } from '../../core/task/task.ts'
import { earlierOutcome } from '../../engine/phase/keep-outcome.ts'
import type { ReviewPlan, RunPlan } from '../../engine/phase/run-plan.ts'
import { readRef } from '../../platform/git/refs.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { liveOf } from '../../workspace/workspace.ts'
import { buildPrompt } from '../prompt/build-prompt.ts'
import { personsReviewParts, reviewPart } from '../prompt/text-parts.ts'
import { baseCommit } from '../start-point.ts'
import { reviewerNow } from './choose-reviewer.ts'
import { isVouchedPhase } from './record-phase.ts'

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
    isFresh,
  }
}

export function maxCyclesOf(task: Task, settings: TypeSettings): number {
  return Math.max(1, task.max_review_cycles ?? settings.max_review_cycles)
}

/** A separate review task reviews an improve task, unless the improve task itself asks for review cycles. */
export function isReviewed(config: Config, task: Task): boolean {
  if (task.auto_review !== undefined) return task.auto_review
  return task.type !== 'improve' && effective(config, task.type).auto_review
}

/** Whether the next run of the task starts with a review. Then its reviewer is called first, and not its agent. */
export function beginsWithReview(view: LedgerView, config: Config, task: Task): boolean {
  const branch = task.branch ?? null
  const review = planReview(view, config, task, { branch, settings: effective(config, task.type), isFresh: false })
  if (review === null || branch === null) return false
  return nextPhase(review.phases, review.maxCycles, readRef(view.ws.repo, `refs/heads/${branch}`)).do === 'review'
}

/** The plan of one phase. The outcome in a dead run counts if the phase is the first of this run. */
export function planPhase(
  view: LedgerView,
  config: Config,
  plan: RunPlan,
  { step, tip, isFirst }: { step: PhaseStep; tip: string; isFirst: boolean },
): RunPlan {
  const { task, prompt, worker, place } = describePhase(view, config, plan, { step, tip })
  const mayHaveOutcome = isFirst && plan.order.review?.isFresh !== true
  return {
    ...plan,
    worker: { ...worker, resume: isFirst && isOfSession(task, step) ? plan.worker.resume : null },
    place,
    order: {
      ...plan.order,
      prompt: prompt.text,
      promptKey: prompt.key,
      ralph: step.do === 'implement' ? plan.order.ralph : null,
      earlier: mayHaveOutcome ? earlierOutcome(liveOf(view.ws), task, prompt.key) : null,
    },
  }
}

/** What an agent is given in this phase. */
export function describePhase(
  view: LedgerView,
  config: Config,
  plan: RunPlan,
  { step, tip }: { step: PhaseStep; tip: string },
): { task: Task; prompt: Prompt } & Pick<RunPlan, 'worker' | 'place'> {
  const { run } = plan.subject
  const known = taskOf(view.ws.state, view.row.lid, plan.subject.task.uid) ?? plan.subject.task
  const task = { ...known, runs: known.runs.filter((one) => one.run !== run) }
  const failure = lastFailure(task)
  const hasFailedHere = failure !== null && (failure.phase ?? 'implement') === stepName(step)
  const { worker, place } = changesFor(view, config, plan, { step, tip })
  const prompt = buildPrompt(view, hasFailedHere ? task : { ...task, runs: [] }, {
    as: step.do === 'implement' ? task.type : step.do,
    branch: plan.place.branch,
    output: place.output,
    judged: step.do === 'review' ? { commit: tip, base: baseCommit(view) } : null,
    verify: config.verify,
    ...(step.do === 'improve' && { reviews: reviewsOf(view, plan.subject.task, step.review), cycle: step.cycle }),
  })
  return { task, prompt, worker, place }
}

/** The review of this cycle, and what people wrote since. */
function reviewsOf(view: LedgerView, task: Task, review: Phase) {
  return [reviewPart(view, task, review), ...personsReviewParts(view, task, review)]
}

/**
 * The session of the last run belongs to the phase in which it stopped. A dead run keeps only the session of an
 * unfinished phase.
 */
function isOfSession(task: Task, step: PhaseStep): boolean {
  const stoppedIn = lastRun(task)?.phase
  return step.do !== 'review' && (stoppedIn === undefined || stoppedIn === stepName(step))
}

function changesFor(
  view: LedgerView,
  config: Config,
  plan: RunPlan,
  { step, tip }: { step: PhaseStep; tip: string },
): Pick<RunPlan, 'worker' | 'place'> {
  const { worker } = plan
  const { settings } = worker
  const place = { ...plan.place, output: null }
  switch (step.do) {
    case 'implement':
      return { worker, place }
    case 'improve':
      return {
        worker: { ...worker, settings: { ...settings, timeout_minutes: settings.improve_timeout_minutes } },
        place,
      }
    case 'review': {
      const { subject } = plan
      const now = { run: subject.run, agent: worker.agent.name }
      const task = taskOf(view.ws.state, view.row.lid, subject.task.uid) ?? subject.task
      const { agent, model, insteadOf } = reviewerNow(view.ws, config, { task, settings, now })
      return {
        worker: {
          ...worker,
          agent,
          settings: { ...settings, model, timeout_minutes: settings.review_timeout_minutes },
          ...(insteadOf !== null && { insteadOf }),
        },
        // No branch: the reviewer may not move any branch, not even that of the task.
        place: { ...place, branch: null, from: tip, output: reviewPath(view, plan, step.cycle) },
      }
    }
    default:
      return step satisfies never
  }
}

/**
 * `YYYYMMDD-task-N-review-K.md`. Restarted cycles do not overwrite earlier reviews. The name depends only on the
 * ledger: a restart must get the same name, otherwise the reviewer's answer would not belong to the prompt.
 */
function reviewPath(view: LedgerView, { subject: { task, number } }: RunPlan, cycle: number): string {
  const date = task.created_at.slice(0, 10).replaceAll('-', '')
  const name = `${date}-task-${number}-review-${cycle}`
  const taken = new Set(artifactsOf(view.ws.state, view.row.lid, `artifacts/${task.uid}/`).map(({ path }) => path))
  const names = [name, ...[...taken].map((_, at) => `${name}-again-${at + 1}`)]
  return `.gza/reviews/${names.find((free) => !taken.has(`artifacts/${task.uid}/${free}.md`))}.md`
}
