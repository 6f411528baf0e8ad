/**
 * Implements, then reviews and improves until a review approves, asks for a person, or was the last one allowed. Each
 * phase has a fresh context. Each successful phase is written to the ledger before the next one starts: whatever ends
 * the run, the next run continues at the phase that this one did not finish.
 */
import {
  cycleToward,
  nextPhase,
  type PhaseStep,
  type ReviewStep,
  requestDigest,
  reviewsDone,
  stepName,
} from '../../core/run/review-cycles.ts'
import type { RunEnd } from '../../core/run/run-rules.ts'
import { firstBlocker } from '../../core/run/verdict.ts'
import type { Phase } from '../../core/task/task.ts'
import { whyCommitFails } from '../../engine/phase/check-commit.ts'
import type { Progress, RunContext, RunRecorder } from '../../engine/phase/run-context.ts'
import type { ReviewPlan, RunPlan, RunResult } from '../../engine/phase/run-plan.ts'
import { failed, failedCall, stoppedByPerson, unverified, usageOf } from '../../engine/phase/run-result.ts'
import { runWorkPhase } from '../../engine/phase/run-work-phase.ts'
import { reviewOf } from '../../engine/phase/text/ask-verdict.ts'
import { runTextPhase } from '../../engine/phase/text/run-text-phase.ts'
import { wholeTask } from '../../engine/phase/work-phase.ts'
import type { Workplace } from '../../engine/worktree/workplace.ts'
import { commitsSince } from '../../ledger/links.ts'
import { readRef } from '../../platform/git/refs.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { updateRun } from '../../state/live/live-runs.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { freeCopy } from '../../workspace/texts/copies.ts'
import type { TaskRun } from '../open-task-run.ts'
import { pausedUntil } from '../spend/agent-pauses.ts'
import { planPhase } from './plan-review.ts'
import { recordPhaseEnd } from './record-phase.ts'

export async function runReviewCycles(run: TaskRun, workplace: Workplace, review: ReviewPlan): Promise<RunResult> {
  const { plan } = run
  const { host, slot } = run.context
  const round = openRound(run, workplace, review)
  for (let isFirst = true; ; isFirst = false) {
    const tip = tipOf(round)
    if (tip === null)
      return stopped(round, { do: 'implement' }, failed(host.now(), 'tampered', `${plan.place.branch} was deleted`))
    round.review = { ...round.review, maxCycles: maxCyclesNow(round) }
    const step = nextPhase(round.phases, round.review.maxCycles, tip)
    if (step.do === 'finish') return finish(round, step, tip)
    if (slot.stop.aborted) return stopped(round, step, stoppedByPerson(host.now(), { head: tip }))
    const { result, phase, text } = await perform(round, step, tip, isFirst)
    round.incidents.push(...result.incidents)
    if (phase === null) return stopped(round, step, result)
    const whyNot = record(round, phase, text)
    if (whyNot !== null) return stopped(round, step, failed(host.now(), 'tampered', whyNot, { head: tip }))
    round.context.recorder.step('passed')
    round.phases.push(phase)
    tell(round, phase)
  }
}

interface Round extends TaskRun {
  workplace: Workplace
  review: ReviewPlan
  meter: UsageCounter
  /** All finished phases, and those of this run. */
  phases: Phase[]
  recorded: Phase[]
  /** Commits that were checked. */
  verified: Set<string>
  incidents: string[]
}

function openRound(run: TaskRun, workplace: Workplace, review: ReviewPlan): Round {
  const meter = countUsage(run.context.recorder)
  return {
    ...run,
    context: { ...run.context, recorder: meter.recorder },
    workplace,
    review,
    meter,
    phases: [...review.phases],
    recorded: [],
    verified: new Set(review.verified),
    incidents: [],
  }
}

/** A person may have changed it since the run began. */
function maxCyclesNow({ ws, plan, review }: Round): number {
  const view = readLedger(ws)
  const { max_review_cycles = review.maxCycles } = taskOf(view.ws.state, view.row.lid, plan.subject.task.uid) ?? {}
  return max_review_cycles
}

/** Returns why the phase may not count, or null. */
function record({ ws, plan, context, recorded }: Round, phase: Phase, text: string | null): string | null {
  const whyNot = recordPhaseEnd(ws, plan, recorded, phase, text)
  recorded.push(phase)
  // If the run dies now, the next phase must not continue this session.
  updateRun(context.host.live, plan.subject.run, { session: null })
  return whyNot
}

interface Performed {
  result: RunResult
  /** Null: it did not succeed. */
  phase: Phase | null
  text: string | null
}

function perform(round: Round, step: PhaseStep, tip: string, isFirst: boolean): Promise<Performed> {
  const { ws, config, context, plan, review } = round
  context.recorder.beginPhase()
  const phasePlan = planPhase(readLedger(ws), config, plan, { step, tip, isFirst })
  const at = { cycle: cycleToward(step), of: review.maxCycles }
  context.observer.reviewMoved(at, { kind: 'began', phase: step.do })
  return step.do === 'review' ? performReview(round, phasePlan, step.cycle) : performWork(round, phasePlan, step)
}

async function performWork(
  round: Round,
  phasePlan: RunPlan,
  step: Exclude<PhaseStep, { do: 'review' }>,
): Promise<Performed> {
  const { context, workplace } = round
  const result = await runWorkPhase({ plan: phasePlan, context, workplace, phase: workPhaseOf(round, step) })
  const { outcome, head, checks } = result.end
  if (outcome === 'completed' && head !== undefined) round.verified.add(head)
  if (outcome !== 'completed' || head === undefined) return { result, phase: null, text: null }
  const cycle = step.do === 'improve' ? step.cycle : 0
  const phase = { ...factOf(round, head), phase: step.do, cycle, ...(checks && { checks }) }
  return { result, phase, text: null }
}

function workPhaseOf({ plan, workplace }: Round, step: Exclude<PhaseStep, { do: 'review' }>) {
  if (step.do === 'implement') return wholeTask(plan, workplace)
  const message = `Address review feedback (cycle ${step.cycle})`
  return { name: 'improve', message, since: step.review.head, unchanged: 'no-improvement' as const }
}

async function performReview(round: Round, phasePlan: RunPlan, cycle: number): Promise<Performed> {
  const { context } = round
  const { host } = context
  const reviewer = phasePlan.worker.agent.name
  const { from, output } = phasePlan.place
  const { agent, settings, insteadOf } = phasePlan.worker
  const paused = pausedUntil(round.ws, { agent, model: settings.model })
  if (paused !== null) {
    const result = failed(host.now(), 'usage-limit', `${reviewer} is at its usage limit until ${paused}`)
    const limit = { resetsAt: paused, ofModel: true, reviewer: { agent, settings } }
    return { result: { ...result, caller: reviewer, ...limit }, phase: null, text: null }
  }
  // A commit that no phase made must be checked.
  const unchecked = round.verified.has(from) ? null : await whyCommitFails(round.plan, context, round.workplace, from)
  if (unchecked !== null) return { result: unchecked, phase: null, text: null }
  if (insteadOf !== undefined) context.recorder.remark('review', `${reviewer} stands in for ${insteadOf}`)
  const outcome = phasePlan.order.earlier ?? (await runTextPhase(phasePlan, context, 'review'))
  // Already done for a phase that ended just now, before its checkout was removed. Doing it twice is harmless.
  context.recorder.keepOutcome(phasePlan.order.promptKey, outcome)
  const { report, incidents } = outcome
  const about = { ...usageOf(report), head: from }
  const fail = (...[reason, detail]: [Parameters<typeof failed>[1], string]): Performed => {
    const failure = failedCall(host.now(), report, { reason, detail }, { head: from })
    const result = { ...failure, incidents, caller: reviewer, reviewer: { agent, settings } }
    return { result, phase: null, text: null }
  }
  if (report.failure) return fail(report.failure.reason, report.failure.detail)
  if (outcome.text === null) return fail('no-artifact', `the reviewer wrote nothing to ${output}`)
  if (tipOf(round) !== from) return fail('tampered', `${round.plan.place.branch} was moved while it was reviewed`)
  const { verdict, why, text } = reviewOf(from, outcome)
  const summary = why ?? firstBlocker(text)
  const judged = { verdict, ...(summary !== null && verdict !== 'APPROVED' && { summary }) }
  const named = { agent: reviewer, artifact: output === null ? '' : freeCopy(round.ws, output) }
  const phase: Phase = { ...factOf(round, from), phase: 'review', cycle, ...judged, ...named }
  const end: RunEnd = { ended_at: host.now(), outcome: 'completed', ...about }
  return { result: { end, commits: [], text: null, session: null, resetsAt: null, incidents }, phase, text }
}

function factOf({ plan, context, review }: Round, head: string) {
  const { run, task } = plan.subject
  const about = { told: requestDigest(task), of: review.maxCycles }
  return { run, generation: task.generation, at: context.host.now(), head, ...about }
}

/** The result of the whole run: the cost of all its phases, and the last verdict. */
function finish(round: Round, step: Extract<ReviewStep, { do: 'finish' }>, head: string): RunResult {
  const { context, workplace, review, meter, incidents } = round
  const { host, observer } = context
  if (step.verdict === 'MAX_CYCLES_REACHED')
    observer.reviewMoved({ cycle: step.cycles, of: review.maxCycles }, { kind: 'exhausted' })
  const commits = commitsSince(host.repo, { base: workplace.base, head }).map(({ oid }) => oid)
  const judged = { verdict: step.verdict, review_cycle: step.cycles }
  const about = { ...meter.spent(), ...judged, ...unverified(round.plan) }
  const end: RunEnd = { ended_at: host.now(), outcome: 'completed', head, ...about }
  return { end, commits, text: null, session: null, resetsAt: null, incidents }
}

/** It stopped between two reviews: whatever the last verdict was, the current work is not approved. */
function stopped({ meter, phases, incidents }: Round, step: PhaseStep, result: RunResult): RunResult {
  const review_cycle = reviewsDone(phases)
  const judged = review_cycle === 0 ? {} : { verdict: 'CHANGES_REQUESTED', review_cycle }
  const caller = result.caller === undefined ? {} : { caller: result.caller }
  const about = { ...meter.spent(), phase: stepName(step), ...judged, ...caller }
  return { ...result, end: { ...result.end, ...about }, incidents }
}

function tell({ context: { observer }, review }: Round, { phase, cycle, verdict, summary }: Phase): void {
  const at = { cycle: Math.max(1, cycle), of: review.maxCycles }
  if (phase === 'implement') observer.reviewMoved(at, { kind: 'implemented' })
  if (phase === 'review' && verdict) observer.reviewMoved(at, { kind: 'reviewed', verdict, summary: summary ?? null })
}

/** Null: somebody deleted it. */
function tipOf({ plan, context }: { plan: RunPlan; context: RunContext }): string | null {
  return readRef(context.host.repo, `refs/heads/${plan.place.branch}`)
}

interface UsageCounter {
  recorder: RunRecorder
  /** What all phases of the run took together. */
  spent(): Pick<RunEnd, 'cost_usd' | 'tokens_in' | 'tokens_out' | 'turns'>
}

type Usage = Required<Pick<Progress, 'tokensIn' | 'tokensOut' | 'costUsd' | 'turns'>>

const COUNTED = ['tokensIn', 'tokensOut', 'costUsd', 'turns'] as const

/** A client counts only its own phase, so the usage of earlier phases of the run is added. */
function countUsage(recorder: RunRecorder): UsageCounter {
  const zero = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  let before: Usage = zero
  let now: Usage = zero
  const total = (): Usage => ({
    tokensIn: before.tokensIn + now.tokensIn,
    tokensOut: before.tokensOut + now.tokensOut,
    costUsd: before.costUsd + now.costUsd,
    turns: before.turns + now.turns,
  })
  const counting: RunRecorder = {
    ...recorder,
    beginPhase: () => {
      before = total()
      now = zero
      recorder.beginPhase()
    },
    progress: (progress) => {
      const { tokensIn = now.tokensIn, tokensOut = now.tokensOut, costUsd = now.costUsd, turns = now.turns } = progress
      now = { tokensIn, tokensOut, costUsd, turns }
      const isCounted = COUNTED.some((amount) => amount in progress)
      recorder.progress(isCounted ? { ...progress, ...total() } : progress)
    },
  }
  return {
    recorder: counting,
    spent: () => {
      const { tokensIn, tokensOut, costUsd, turns } = total()
      return { tokens_in: tokensIn, tokens_out: tokensOut, cost_usd: costUsd, ...(turns > 0 && { turns }) }
    },
  }
}
