/**
 * Implement, then review and improve until a review passes, wants a person, or the last allowed one was not enough. Each
 * phase has a fresh context, and each that came to a good end is written to the ledger before the next begins: whatever
 * ends the run, the next one goes on at the phase that this one did not finish.
 */
import {
  cycleToward,
  nextStep,
  type ReviewStep,
  requestDigest,
  reviewsDone,
  stepName,
} from '../../core/run/review-cycles.ts'
import type { RunEnd } from '../../core/run/run-rules.ts'
import { firstBlocker } from '../../core/run/verdict.ts'
import type { Phase } from '../../core/task/task.ts'
import { commitsSince } from '../../ledger/links.ts'
import { readRef } from '../../platform/git/refs.ts'
import type { Workplace } from '../worktree/workplace.ts'
import type { PhaseStep, Progress, ReviewPlan, RunContext, RunPlan, RunResult } from './run-plan.ts'
import { failed, usageOf } from './run-result.ts'
import { runTextPhase, verdictOn } from './run-text-phase.ts'
import { checkFailure, runWorkPhase, wholeTask } from './run-work-phase.ts'

export async function runReviewCycles(
  plan: RunPlan,
  context: RunContext,
  workplace: Workplace,
  review: ReviewPlan,
): Promise<RunResult> {
  const round: Round = {
    plan,
    context: countingContext(context),
    workplace,
    review,
    phases: [...review.phases],
    verified: new Set(review.verified),
    incidents: [],
  }
  for (let isFirst = true; ; isFirst = false) {
    const tip = tipOf(round)
    if (tip === null)
      return stopped(round, { do: 'implement' }, failed(context, 'tampered', `${plan.branch} was deleted`))
    const step = nextStep(round.phases, review.maxCycles, tip)
    if (step.do === 'finish') return finish(round, step, tip)
    if (context.stop.aborted)
      return stopped(round, step, failed(context, 'interrupted', 'stopped by a person', { head: tip }))
    const { result, phase, text } = await perform(round, step, tip, isFirst)
    round.incidents.push(...result.incidents)
    if (phase === null) return stopped(round, step, result)
    const whyNot = context.recordPhase(plan, phase, text)
    if (whyNot !== null) return stopped(round, step, failed(context, 'tampered', whyNot, { head: tip }))
    context.step(plan, 'passed')
    round.phases.push(phase)
    tell(round, phase)
  }
}

interface Round {
  plan: RunPlan
  context: CountingContext
  workplace: Workplace
  review: ReviewPlan
  phases: Phase[]
  /** Commits that were checked. */
  verified: Set<string>
  incidents: string[]
}

interface Performed {
  result: RunResult
  /** Null: it did not come to a good end. */
  phase: Phase | null
  text: string | null
}

function perform(round: Round, step: PhaseStep, tip: string, isFirst: boolean): Promise<Performed> {
  const { context, plan, review } = round
  const phasePlan = context.planPhase(plan, step, tip, isFirst)
  context.reviewNews(plan, { cycle: cycleToward(step), of: review.maxCycles }, { kind: 'began', phase: step.do })
  return step.do === 'review' ? performReview(round, phasePlan, step.cycle) : performWork(round, phasePlan, step)
}

async function performWork(
  round: Round,
  phasePlan: RunPlan,
  step: Exclude<PhaseStep, { do: 'review' }>,
): Promise<Performed> {
  const { context, workplace } = round
  const result = await runWorkPhase(phasePlan, context, workplace, workPhaseOf(round, step))
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
  const paused = context.pausedUntil(phasePlan.agent.name)
  if (paused !== null) {
    const result = failed(context, 'usage-limit', `${phasePlan.agent.name} is at its usage limit until ${paused}`)
    return { result: { ...result, caller: phasePlan.agent.name, resetsAt: paused }, phase: null, text: null }
  }
  // A commit that came to the branch by another hand than that of a phase.
  const unchecked = round.verified.has(phasePlan.from)
    ? null
    : await checkFailure(round.plan, context, round.workplace, phasePlan.from)
  if (unchecked !== null) return { result: unchecked, phase: null, text: null }
  const phaseOutcome = phasePlan.phaseOutcome ?? (await runTextPhase(phasePlan, context, 'review'))
  // Where it was heard just now this was done before its checkout went; a second time does no harm.
  context.keepPhaseOutcome(phasePlan, phaseOutcome)
  const { report, text } = phaseOutcome
  const about = { ...usageOf(report), head: phasePlan.from }
  const fail = (...[reason, detail]: [Parameters<typeof failed>[1], string]): Performed => {
    const rest = {
      incidents: phaseOutcome.incidents,
      resetsAt: report.failure?.resetsAt ?? null,
      session: report.session,
    }
    const result = { ...failed(context, reason, detail, about), ...rest, caller: phasePlan.agent.name }
    return { result, phase: null, text: null }
  }
  if (report.failure) return fail(report.failure.reason, report.failure.detail)
  if (text === null) return fail('no-artifact', `the reviewer wrote nothing to ${phasePlan.output}`)
  if (tipOf(round) !== phasePlan.from) return fail('tampered', `${round.plan.branch} was moved while it was reviewed`)
  const summary = firstBlocker(text)
  const verdict = verdictOn(phasePlan.from, phaseOutcome)
  const said = { verdict, ...(summary !== null && verdict !== 'APPROVED' && { summary }) }
  const named = { agent: phasePlan.agent.name, artifact: phasePlan.output ?? '' }
  const phase: Phase = { ...factOf(round, phasePlan.from), phase: 'review', cycle, ...said, ...named }
  const end: RunEnd = { ended_at: context.now(), outcome: 'completed', ...about }
  const nothing = { commits: [], text: null, session: null, resetsAt: null }
  return { result: { end, ...nothing, incidents: phaseOutcome.incidents }, phase, text }
}

function factOf({ plan, context, review }: Round, head: string) {
  const { run, task } = plan
  const about = { told: requestDigest(task), of: review.maxCycles }
  return { run, generation: task.generation, at: context.now(), head, ...about }
}

/** The run as a whole: what all its phases took, and the reviewers' last word. */
function finish(round: Round, step: Extract<ReviewStep, { do: 'finish' }>, head: string): RunResult {
  const { plan, context, workplace, review, incidents } = round
  if (step.verdict === 'MAX_CYCLES_REACHED')
    context.reviewNews(plan, { cycle: step.cycles, of: review.maxCycles }, { kind: 'exhausted' })
  const commits = commitsSince(context.repo, workplace.base, head).map(({ oid }) => oid)
  const said = { verdict: step.verdict, review_cycle: step.cycles }
  const end: RunEnd = { ended_at: context.now(), outcome: 'completed', head, ...context.spent(), ...said }
  return { end, commits, text: null, session: null, resetsAt: null, incidents }
}

/** It stopped mid-loop: whatever the last review said, the work as it is now was not approved. */
function stopped({ context, phases, incidents }: Round, step: PhaseStep, result: RunResult): RunResult {
  const review_cycle = reviewsDone(phases)
  const said = review_cycle === 0 ? {} : { verdict: 'CHANGES_REQUESTED', review_cycle }
  const caller = result.caller === undefined ? {} : { caller: result.caller }
  const about = { ...context.spent(), phase: stepName(step), ...said, ...caller }
  return { ...result, end: { ...result.end, ...about }, incidents }
}

function tell({ plan, context, review }: Round, { phase, cycle, verdict, summary }: Phase): void {
  const at = { cycle: Math.max(1, cycle), of: review.maxCycles }
  if (phase === 'implement') context.reviewNews(plan, at, { kind: 'implemented' })
  if (phase === 'review' && verdict)
    context.reviewNews(plan, at, { kind: 'reviewed', verdict, summary: summary ?? null })
}

/** Null: somebody deleted it. */
function tipOf({ plan, context }: Pick<Round, 'plan' | 'context'>): string | null {
  return readRef(context.repo, `refs/heads/${plan.branch}`)
}

interface CountingContext extends RunContext {
  /** What all phases of the run took together. */
  spent(): Pick<RunEnd, 'cost_usd' | 'tokens_in' | 'tokens_out' | 'turns'>
}

type Usage = Required<Pick<Progress, 'tokensIn' | 'tokensOut' | 'costUsd' | 'turns'>>

const COUNTED = ['tokensIn', 'tokensOut', 'costUsd', 'turns'] as const

/** A client counts from its own beginning: what earlier phases of the run took is added. */
function countingContext(context: RunContext): CountingContext {
  const zero = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  let before: Usage = zero
  let now: Usage = zero
  const total = (): Usage => ({
    tokensIn: before.tokensIn + now.tokensIn,
    tokensOut: before.tokensOut + now.tokensOut,
    costUsd: before.costUsd + now.costUsd,
    turns: before.turns + now.turns,
  })
  return {
    ...context,
    planPhase: (...order) => {
      before = total()
      now = zero
      return context.planPhase(...order)
    },
    progress: (plan, progress) => {
      const { tokensIn = now.tokensIn, tokensOut = now.tokensOut, costUsd = now.costUsd, turns = now.turns } = progress
      now = { tokensIn, tokensOut, costUsd, turns }
      const isCounted = COUNTED.some((amount) => amount in progress)
      context.progress(plan, isCounted ? { ...progress, ...total() } : progress)
    },
    spent: () => {
      const { tokensIn, tokensOut, costUsd, turns } = total()
      return { tokens_in: tokensIn, tokens_out: tokensOut, cost_usd: costUsd, ...(turns > 0 && { turns }) }
    },
  }
}
