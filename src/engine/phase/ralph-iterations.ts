/**
 * `gza work --ralph` (001): within one run the agent is called again and again, each time in a new process and with a
 * fresh context, until it promises that the work is done. A promise starts the checks and is never proof: a red check, or
 * a promise without work, is told to the next iteration. What an iteration leaves is committed before the next begins.
 */

import type { AgentEvent } from '../../agents/agent.ts'
import { roundUsd } from '../../agents/reading/round-usd.ts'
import { clip, dataBlock, fillPrompt, listBlock } from '../../core/documents/prompt-text.ts'
import { openPromiseDetector } from '../../core/run/promise.ts'
import type { FailureReason } from '../../core/run/run-rules.ts'
import { plural } from '../../core/text/plural.ts'
import { tryGit } from '../../platform/git/git.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import { markedBy } from '../supervise/marked.ts'
import { own } from '../worktree/place.ts'
import { keepLeftovers, type Workplace } from '../worktree/workplace.ts'
import type { PhaseReport } from './run-phase.ts'
import type { PhaseOutcome, RalphOrder, RunContext, RunPlan, RunResult } from './run-plan.ts'
import type { WorkStage } from './run-work-phase.ts'

/** How a run lets its agent work once, and how it judges what came of it. */
export interface RalphSteps {
  letWork(plan: RunPlan, context: RunContext, phase: string): Promise<PhaseOutcome>
  judge(phaseOutcome: PhaseOutcome): Promise<RunResult>
}

interface RalphRun extends WorkStage, RalphSteps {
  order: RalphOrder
  /** What all iterations so far have spent, and what happened beside them. */
  usage: Usage | null
  incidents: readonly string[]
  strayed: readonly string[]
  /** What the next iteration is told of the last one. */
  lesson: string
}

export async function iterateUntilDone(stage: WorkStage, order: RalphOrder, steps: RalphSteps): Promise<RunResult> {
  const ralph: RalphRun = { ...stage, ...steps, order, usage: null, incidents: [], strayed: [], lesson: '' }
  const { phaseOutcome } = stage.plan
  // An earlier run died when its agent had promised: that is judged first.
  const before = phaseOutcome === null ? null : await ralph.judge(phaseOutcome)
  if (before !== null && !goesOn(before)) return before
  if (before !== null) ralph.lesson = lessonOf(before)
  for (let iteration = 1; ; iteration++) {
    if (before !== null || iteration > 1) beginAgain(ralph)
    const result = await iterate(ralph, iteration)
    if (result !== null) return result
  }
}

/** What a restart would take for the agent's last word no longer is. */
function beginAgain({ plan, context }: RalphRun): void {
  context.keepPhaseOutcome(plan, null)
  context.step(plan, 'working')
}

/** Null: another iteration follows. */
async function iterate(ralph: RalphRun, iteration: number): Promise<RunResult | null> {
  const { order, context, judge } = ralph
  const isLast = iteration >= order.maxIterations
  const { phaseOutcome, isPromised } = await callOnce(ralph, iteration)
  if (phaseOutcome.report.failure !== null) return judge(phaseOutcome)
  if (isPromised) return settlePromise(ralph, await judge(phaseOutcome), isLast)
  if (context.stop.aborted) return judge(failing(phaseOutcome, 'interrupted', 'stopped by a person'))
  if (isLast)
    return judge(failing(phaseOutcome, 'max-iterations', `no promise in ${plural(order.maxIterations, 'iteration')}`))
  return keepIteration(ralph, phaseOutcome, iteration)
}

async function callOnce(
  ralph: RalphRun,
  iteration: number,
): Promise<{ phaseOutcome: PhaseOutcome; isPromised: boolean }> {
  const { plan, order, context } = ralph
  const prompt = promptOf(ralph, iteration)
  const detector = openPromiseDetector(prompt)
  const listening: RunContext = {
    ...context,
    progress: (_plan, progress) => context.progress(plan, addSpent(ralph.usage, progress)),
    log: (_plan, phase, stream, line, events) => {
      // A client's answer is what it prints; on its other stream it tells about itself, its prompt included.
      if (stream === 'out') readEvents(plan, detector, events as readonly AgentEvent[])
      context.log(plan, phase, stream, line, events)
    },
  }
  const phase = `${ralph.phase.name} (iteration ${iteration} of ${order.maxIterations})`
  const phaseOutcome = await ralph.letWork({ ...plan, prompt, resume: null }, listening, phase)
  const usage = addSpent(ralph.usage, phaseOutcome.report.usage)
  ralph.usage = usage
  ralph.incidents = [...ralph.incidents, ...phaseOutcome.incidents]
  ralph.strayed = [...ralph.strayed, ...phaseOutcome.strayed]
  const { incidents, strayed } = ralph
  return {
    phaseOutcome: { ...phaseOutcome, report: { ...phaseOutcome.report, usage }, incidents, strayed },
    isPromised: detector.isPromised(),
  }
}

/** Of plain text every line is an event; where a client speaks in events each is a message. */
function readEvents(
  { agent }: RunPlan,
  detector: ReturnType<typeof openPromiseDetector>,
  events: readonly AgentEvent[],
): void {
  for (const event of events) {
    if (event.kind !== 'text' && event.kind !== 'result') continue
    if (agent.speaksEvents) detector.pause()
    for (const line of event.text.split('\n')) detector.read(line)
  }
}

function promptOf({ plan, order, context, workplace, lesson }: RalphRun, iteration: number): string {
  const iterationPart = fillPrompt(order.template, {
    iteration: String(iteration),
    max_iterations: String(order.maxIterations),
    on_branch: onBranch(context, workplace),
    last_iteration: lesson === '' ? '' : dataBlock('what the last iteration came to', lesson),
  })
  return `${plan.prompt}\n${iterationPart}`
}

/** More would only fill the context: git log shows the rest. */
const MOST_COMMITS = 20

function onBranch({ repo }: RunContext, { branch, base }: Workplace): string {
  const format = ['--reverse', '--no-color', '--format=%h %s', `--max-count=${MOST_COMMITS}`]
  const commits = tryGit(repo, own('log', ...format, `${base}..refs/heads/${branch}`, '--')).stdout.toString()
  return commits === '' ? '' : dataBlock('commits on the branch so far, oldest first', commits)
}

/** A promise without work or with a red check is told to the next iteration, unless there is none. */
function settlePromise(ralph: RalphRun, result: RunResult, isLast: boolean): RunResult | null {
  if (!goesOn(result)) return result
  if (ralph.context.stop.aborted)
    return { ...result, end: { ...result.end, outcome: 'interrupted', reason: 'interrupted' } }
  if (!isLast) {
    ralph.lesson = lessonOf(result)
    return null
  }
  const { reason, detail } = result.end
  const told = `${plural(ralph.order.maxIterations, 'iteration')}; the last promised, but: ${reason}: ${detail}`
  return { ...result, end: { ...result.end, reason: 'max-iterations', detail: told } }
}

const GOES_ON: ReadonlySet<FailureReason | undefined> = new Set(['no-changes', 'outside-changes', 'verify-failed'])

function goesOn({ end }: RunResult): boolean {
  return end.outcome === 'failed' && GOES_ON.has(end.reason)
}

/** Without a promise nothing is judged; what it left is on the branch before the next iteration may touch it. */
async function keepIteration(
  ralph: RalphRun,
  phaseOutcome: PhaseOutcome,
  iteration: number,
): Promise<RunResult | null> {
  const { plan, context, workplace, phase } = ralph
  const message = `${phase.message} (iteration ${iteration})`
  const kept = await keepLeftovers(markedBy(context.repo, plan.run), workplace, {
    message,
    identity: identityOf(context.repo),
  })
  if (kept.astray !== null) return ralph.judge(phaseOutcome)
  const left = kept.refused.map(({ path, why }) => `${path}: ${why}`)
  ralph.lesson = `It made no promise.\n${listBlock('Left uncommitted:', left)}`
  return null
}

const LONGEST_LESSON = 50_000

function lessonOf({ end }: RunResult): string {
  return clip(`It promised that the work is done, but: ${end.reason}\n${end.detail ?? ''}`, LONGEST_LESSON)
}

function failing(phaseOutcome: PhaseOutcome, reason: FailureReason, detail: string): PhaseOutcome {
  return { ...phaseOutcome, report: { ...phaseOutcome.report, failure: { reason, detail, resetsAt: null } } }
}

type Usage = PhaseReport['usage']

/** People see what the whole run has spent, and so does who ends it after a crash. */
function addSpent<T extends Partial<Usage>>(spent: Usage | null, more: T): T {
  if (spent === null) return more
  const totals = Object.entries(spent).flatMap(([name, before]) => {
    const now = more[name as keyof Usage]
    return now === undefined ? [] : [[name, roundUsd(before + now)]]
  })
  return { ...more, ...Object.fromEntries(totals) }
}
