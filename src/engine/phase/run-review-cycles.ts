/**
 * Implement, then review and improve until a review passes, wants a person, or the last allowed one was not enough. Each
 * phase has a fresh context, and each that came to a good end is written to the ledger before the next begins: whatever
 * ends the run, the next one goes on at the phase that this one did not finish.
 */
import {
  cycleToward,
  type LoopStep,
  nextStep,
  reviewsDone,
  stepName,
  toldDigest,
} from '../../core/run/review-cycles.ts'
import type { RunEnd } from '../../core/run/run-rules.ts'
import { firstBlocker } from '../../core/run/verdict.ts'
import type { Phase } from '../../core/task/task.ts'
import { commitsSince } from '../../ledger/links.ts'
import { readRef } from '../../platform/git/refs.ts'
import type { Workplace } from '../worktree/workplace.ts'
import type { Desk, Job, Loop, PhaseStep, Progress, RunResult } from './run-plan.ts'
import { failed, usageOf } from './run-result.ts'
import { runTextPhase, verdictOn } from './run-text-phase.ts'
import { checkFailure, runWorkPhase, wholeTask } from './run-work-phase.ts'

export async function runReviewLoop(job: Job, desk: Desk, workplace: Workplace, loop: Loop): Promise<RunResult> {
  const round: Round = {
    job,
    desk: countingDesk(desk),
    workplace,
    loop,
    phases: [...loop.phases],
    verified: new Set(loop.verified),
    incidents: [],
  }
  for (let isFirst = true; ; isFirst = false) {
    const tip = tipOf(round)
    if (tip === null) return stopped(round, { do: 'implement' }, failed(desk, 'tampered', `${job.branch} was deleted`))
    const step = nextStep(round.phases, loop.maxCycles, tip)
    if (step.do === 'finish') return finish(round, step, tip)
    if (desk.stop.aborted)
      return stopped(round, step, failed(desk, 'interrupted', 'stopped by a person', { head: tip }))
    const { result, phase, text } = await perform(round, step, tip, isFirst)
    round.incidents.push(...result.incidents)
    if (phase === null) return stopped(round, step, result)
    const whyNot = desk.recordPhase(job, phase, text)
    if (whyNot !== null) return stopped(round, step, failed(desk, 'tampered', whyNot, { head: tip }))
    desk.step(job, 'passed')
    round.phases.push(phase)
    tell(round, phase)
  }
}

interface Round {
  job: Job
  desk: CountingDesk
  workplace: Workplace
  loop: Loop
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
  const { desk, job, loop } = round
  const phaseJob = desk.planPhase(job, step, tip, isFirst)
  desk.loopNews(job, { cycle: cycleToward(step), of: loop.maxCycles }, { kind: 'began', phase: step.do })
  return step.do === 'review' ? review(round, phaseJob, step.cycle) : work(round, phaseJob, step)
}

async function work(round: Round, phaseJob: Job, step: Exclude<PhaseStep, { do: 'review' }>): Promise<Performed> {
  const { desk, workplace } = round
  const result = await runWorkPhase(phaseJob, desk, workplace, workPhaseOf(round, step))
  const { outcome, head, checks } = result.end
  if (outcome === 'completed' && head !== undefined) round.verified.add(head)
  if (outcome !== 'completed' || head === undefined) return { result, phase: null, text: null }
  const cycle = step.do === 'improve' ? step.cycle : 0
  const phase = { ...factOf(round, head), phase: step.do, cycle, ...(checks && { checks }) }
  return { result, phase, text: null }
}

function workPhaseOf({ job, workplace }: Round, step: Exclude<PhaseStep, { do: 'review' }>) {
  if (step.do === 'implement') return wholeTask(job, workplace)
  const message = `Address review feedback (cycle ${step.cycle})`
  return { name: 'improve', message, since: step.review.head, unchanged: 'no-improvement' as const }
}

async function review(round: Round, phaseJob: Job, cycle: number): Promise<Performed> {
  const { desk } = round
  const paused = desk.pausedUntil(phaseJob.agent.name)
  if (paused !== null) {
    const result = failed(desk, 'usage-limit', `${phaseJob.agent.name} is at its usage limit until ${paused}`)
    return { result: { ...result, caller: phaseJob.agent.name, resetsAt: paused }, phase: null, text: null }
  }
  // A commit that came to the branch by another hand than that of a phase.
  const unchecked = round.verified.has(phaseJob.from)
    ? null
    : await checkFailure(round.job, desk, round.workplace, phaseJob.from)
  if (unchecked !== null) return { result: unchecked, phase: null, text: null }
  const heard = phaseJob.heard ?? (await runTextPhase(phaseJob, desk, 'review'))
  // Where it was heard just now this was done before its checkout went; a second time does no harm.
  desk.keepHeard(phaseJob, heard)
  const { report, text } = heard
  const about = { ...usageOf(report), head: phaseJob.from }
  const fail = (...[reason, detail]: [Parameters<typeof failed>[1], string]): Performed => {
    const rest = { incidents: heard.incidents, resetsAt: report.failure?.resetsAt ?? null, session: report.session }
    const result = { ...failed(desk, reason, detail, about), ...rest, caller: phaseJob.agent.name }
    return { result, phase: null, text: null }
  }
  if (report.failure) return fail(report.failure.reason, report.failure.detail)
  if (text === null) return fail('no-artifact', `the reviewer wrote nothing to ${phaseJob.output}`)
  if (tipOf(round) !== phaseJob.from) return fail('tampered', `${round.job.branch} was moved while it was reviewed`)
  const summary = firstBlocker(text)
  const verdict = verdictOn(phaseJob.from, heard)
  const said = { verdict, ...(summary !== null && verdict !== 'APPROVED' && { summary }) }
  const named = { agent: phaseJob.agent.name, artifact: phaseJob.output ?? '' }
  const phase: Phase = { ...factOf(round, phaseJob.from), phase: 'review', cycle, ...said, ...named }
  const end: RunEnd = { ended_at: desk.now(), outcome: 'completed', ...about }
  const nothing = { commits: [], text: null, session: null, resetsAt: null }
  return { result: { end, ...nothing, incidents: heard.incidents }, phase, text }
}

function factOf({ job, desk, loop }: Round, head: string) {
  const { run, task } = job
  const about = { told: toldDigest(task), of: loop.maxCycles }
  return { run, generation: task.generation, at: desk.now(), head, ...about }
}

/** The run as a whole: what all its phases took, and the reviewers' last word. */
function finish(round: Round, step: Extract<LoopStep, { do: 'finish' }>, head: string): RunResult {
  const { job, desk, workplace, loop, incidents } = round
  if (step.verdict === 'MAX_CYCLES_REACHED')
    desk.loopNews(job, { cycle: step.cycles, of: loop.maxCycles }, { kind: 'exhausted' })
  const commits = commitsSince(desk.repo, workplace.base, head).map(({ oid }) => oid)
  const said = { verdict: step.verdict, review_cycle: step.cycles }
  const end: RunEnd = { ended_at: desk.now(), outcome: 'completed', head, ...desk.spent(), ...said }
  return { end, commits, text: null, session: null, resetsAt: null, incidents }
}

/** It stopped mid-loop: whatever the last review said, the work as it is now was not approved. */
function stopped({ desk, phases, incidents }: Round, step: PhaseStep, result: RunResult): RunResult {
  const review_cycle = reviewsDone(phases)
  const said = review_cycle === 0 ? {} : { verdict: 'CHANGES_REQUESTED', review_cycle }
  const caller = result.caller === undefined ? {} : { caller: result.caller }
  const about = { ...desk.spent(), phase: stepName(step), ...said, ...caller }
  return { ...result, end: { ...result.end, ...about }, incidents }
}

function tell({ job, desk, loop }: Round, { phase, cycle, verdict, summary }: Phase): void {
  const at = { cycle: Math.max(1, cycle), of: loop.maxCycles }
  if (phase === 'implement') desk.loopNews(job, at, { kind: 'implemented' })
  if (phase === 'review' && verdict) desk.loopNews(job, at, { kind: 'reviewed', verdict, summary: summary ?? null })
}

/** Null: somebody deleted it. */
function tipOf({ job, desk }: Pick<Round, 'job' | 'desk'>): string | null {
  return readRef(desk.repo, `refs/heads/${job.branch}`)
}

interface CountingDesk extends Desk {
  /** What all phases of the run took together. */
  spent(): Pick<RunEnd, 'cost_usd' | 'tokens_in' | 'tokens_out' | 'turns'>
}

type Usage = Required<Pick<Progress, 'tokensIn' | 'tokensOut' | 'costUsd' | 'turns'>>

const COUNTED = ['tokensIn', 'tokensOut', 'costUsd', 'turns'] as const

/** A client counts from its own beginning: what earlier phases of the run took is added. */
function countingDesk(desk: Desk): CountingDesk {
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
    ...desk,
    planPhase: (...order) => {
      before = total()
      now = zero
      return desk.planPhase(...order)
    },
    progress: (job, progress) => {
      const { tokensIn = now.tokensIn, tokensOut = now.tokensOut, costUsd = now.costUsd, turns = now.turns } = progress
      now = { tokensIn, tokensOut, costUsd, turns }
      const isCounted = COUNTED.some((amount) => amount in progress)
      desk.progress(job, isCounted ? { ...progress, ...total() } : progress)
    },
    spent: () => {
      const { tokensIn, tokensOut, costUsd, turns } = total()
      return { tokens_in: tokensIn, tokens_out: tokensOut, cost_usd: costUsd, ...(turns > 0 && { turns }) }
    },
  }
}
