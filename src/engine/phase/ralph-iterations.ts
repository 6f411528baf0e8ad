/**
 * `gza work --ralph`: within one run, the agent is called repeatedly, each time in a new process with a fresh context,
 * until it promises that the work is done. A promise starts the checks and is never proof: the next iteration gets a
 * failed check, or a promise without work, in its prompt. Leftovers are committed before the next iteration starts.
 */

import type { AgentEvent } from '../../agents/agent.ts'
import { clip, dataBlock, fillPrompt, listBlock } from '../../core/documents/prompt-text.ts'
import { openPromiseDetector } from '../../core/run/promise.ts'
import type { FailureReason } from '../../core/run/run-rules.ts'
import { plural } from '../../core/text/plural.ts'
import { tryOwnGit } from '../../platform/git/own-git.ts'
import type { Workplace } from '../worktree/workplace.ts'
import { addSpent } from './add-spent.ts'
import type { PhaseOutcome, PhaseReport } from './phase-report.ts'
import type { RunContext, RunRecorder } from './run-context.ts'
import type { RalphOrder, RunPlan, RunResult } from './run-plan.ts'
import { judgePhase, keepLeft, letWork, type WorkStage } from './work-phase.ts'

interface RalphRun {
  stage: WorkStage
  order: RalphOrder
  /** What all iterations so far have spent, and what else happened during them. */
  usage: Usage | null
  incidents: readonly string[]
  strayed: readonly string[]
  /** What the prompt of the next iteration contains about the last one. */
  lesson: string
}

export async function iterateUntilDone(stage: WorkStage, order: RalphOrder): Promise<RunResult> {
  const ralph: RalphRun = { stage, order, usage: null, incidents: [], strayed: [], lesson: '' }
  const { earlier } = stage.plan.order
  // An earlier run died after its agent had promised. That outcome is judged first.
  const before = earlier === null ? null : await judgePhase(stage, earlier)
  if (before !== null && !goesOn(before)) return before
  if (before !== null) ralph.lesson = lessonOf(before)
  for (let iteration = 1; ; iteration++) {
    if (before !== null || iteration > 1) beginAgain(stage)
    const result = await iterate(ralph, iteration)
    if (result !== null) return result
  }
}

/** Deletes the stored outcome, which a restart would take for the last one. */
function beginAgain({ plan, context: { recorder } }: WorkStage): void {
  recorder.keepOutcome(plan.order.promptKey, null)
  recorder.step('working')
}

/** Null: another iteration follows. */
async function iterate(ralph: RalphRun, iteration: number): Promise<RunResult | null> {
  const { order, stage } = ralph
  const isLast = iteration >= order.maxIterations
  const { outcome, isPromised } = await callOnce(ralph, iteration)
  if (outcome.report.failure !== null) return judgePhase(stage, outcome)
  if (isPromised) return settlePromise(ralph, await judgePhase(stage, outcome), isLast)
  if (stage.context.slot.stop.aborted) return judgePhase(stage, failing(outcome, 'interrupted', 'stopped by a person'))
  if (isLast) {
    const detail = `no promise in ${plural(order.maxIterations, 'iteration')}`
    return judgePhase(stage, failing(outcome, 'max-iterations', detail))
  }
  return keepIteration(ralph, outcome, iteration)
}

async function callOnce(ralph: RalphRun, iteration: number): Promise<{ outcome: PhaseOutcome; isPromised: boolean }> {
  const { plan, context, phase } = ralph.stage
  const prompt = promptOf(ralph, iteration)
  const detector = openPromiseDetector(prompt)
  const outcome = await letWork({
    ...ralph.stage,
    plan: { ...plan, worker: { ...plan.worker, resume: null }, order: { ...plan.order, prompt } },
    context: { ...context, recorder: listeningRecorder(ralph, detector) },
    phase: { ...phase, name: `${phase.name} (iteration ${iteration} of ${ralph.order.maxIterations})` },
  })
  const usage = addSpent(ralph.usage, outcome.report.usage)
  ralph.usage = usage
  ralph.incidents = [...ralph.incidents, ...outcome.incidents]
  ralph.strayed = [...ralph.strayed, ...outcome.strayed]
  const { incidents, strayed } = ralph
  return {
    outcome: { ...outcome, report: { ...outcome.report, usage }, incidents, strayed },
    isPromised: detector.isPromised(),
  }
}

type Detector = ReturnType<typeof openPromiseDetector>

/** Looks for the promise in what the agent prints, and adds what earlier iterations have spent. */
function listeningRecorder(ralph: RalphRun, detector: Detector): RunRecorder {
  const { plan, context } = ralph.stage
  const { recorder } = context
  return {
    ...recorder,
    progress: (progress) => recorder.progress(addSpent(ralph.usage, progress)),
    log: (line) => {
      // The answer is on stdout. On stderr a client prints messages about itself, which can include the prompt.
      if (line.stream === 'out') readEvents(plan, detector, line.event as readonly AgentEvent[])
      recorder.log(line)
    },
    logFlood: (flood) => {
      if (flood.stream === 'out' && !plan.worker.agent.speaksEvents) detector.readMany(flood.lines)
      recorder.logFlood(flood)
    },
  }
}

/** Plain text: each line is an event. A client with events: each event is a message. */
function readEvents({ worker: { agent } }: RunPlan, detector: Detector, events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.kind !== 'text' && event.kind !== 'result') continue
    if (agent.speaksEvents) detector.pause()
    for (const line of event.text.split('\n')) detector.read(line)
  }
}

function promptOf({ stage, order, lesson }: RalphRun, iteration: number): string {
  const iterationPart = fillPrompt(order.template, {
    iteration: String(iteration),
    max_iterations: String(order.maxIterations),
    on_branch: onBranch(stage.context, stage.workplace),
    last_iteration: lesson === '' ? '' : dataBlock('the result of the last iteration', lesson),
  })
  return `${stage.plan.order.prompt}\n${iterationPart}`
}

/** More would only fill the context; git log shows the rest. */
const MOST_COMMITS = 20

function onBranch({ host: { repo } }: RunContext, { branch, base }: Workplace): string {
  const format = ['--reverse', '--no-color', '--format=%h %s', `--max-count=${MOST_COMMITS}`]
  const commits = tryOwnGit(repo, ['log', ...format, `${base}..refs/heads/${branch}`, '--']).stdout.toString()
  return commits === '' ? '' : dataBlock('commits on the branch so far, oldest first', commits)
}

/** The next iteration, if there is one, gets a promise without work or with a failed check in its prompt. */
function settlePromise(ralph: RalphRun, result: RunResult, isLast: boolean): RunResult | null {
  if (!goesOn(result)) return result
  if (ralph.stage.context.slot.stop.aborted)
    return { ...result, end: { ...result.end, outcome: 'interrupted', reason: 'interrupted' } }
  if (!isLast) {
    ralph.lesson = lessonOf(result)
    return null
  }
  const { reason, detail } = result.end
  const summary = `${plural(ralph.order.maxIterations, 'iteration')}; the last one promised that the work is done, but: ${reason}: ${detail}`
  return { ...result, end: { ...result.end, reason: 'max-iterations', detail: summary } }
}

const GOES_ON: ReadonlySet<FailureReason | undefined> = new Set(['no-changes', 'outside-changes', 'verify-failed'])

function goesOn({ end }: RunResult): boolean {
  return end.outcome === 'failed' && GOES_ON.has(end.reason)
}

/** Without a promise nothing is judged. What the iteration left is committed before the next one starts. */
async function keepIteration(ralph: RalphRun, outcome: PhaseOutcome, iteration: number): Promise<RunResult | null> {
  const kept = await keepLeft(ralph.stage, `${ralph.stage.phase.message} (iteration ${iteration})`)
  if (kept.fault !== null || kept.unimported !== null) return judgePhase(ralph.stage, outcome)
  const left = kept.refused.map(({ path, why }) => `${path}: ${why}`)
  ralph.lesson = `It made no promise.\n${listBlock('Left uncommitted:', left)}`
  return null
}

const LONGEST_LESSON = 50_000

function lessonOf({ end }: RunResult): string {
  return clip(`It promised that the work is done, but: ${end.reason}\n${end.detail ?? ''}`, LONGEST_LESSON)
}

function failing(outcome: PhaseOutcome, reason: FailureReason, detail: string): PhaseOutcome {
  return { ...outcome, report: { ...outcome.report, failure: { reason, detail, resetsAt: null } } }
}

type Usage = PhaseReport['usage']
