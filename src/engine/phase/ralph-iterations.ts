/**
 * `gza work --ralph` (001): within one run the agent is called again and again, each time in a new process and with a
 * fresh context, until it promises that the work is done. A promise starts the checks and is never proof: a red check, or
 * a promise without work, is told to the next iteration. What an iteration leaves is committed before the next begins.
 */

import type { AgentEvent } from '../../agents/agent.ts'
import { roundUsd } from '../../agents/reading/round-usd.ts'
import { clip, dataBlock, fillPrompt, listBlock } from '../../core/documents/prompt-text.ts'
import { openPromiseEar } from '../../core/run/promise.ts'
import type { FailureReason } from '../../core/run/run-rules.ts'
import { plural } from '../../core/text/plural.ts'
import { tryGit } from '../../platform/git/git.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import { markedBy } from '../supervise/marked.ts'
import { own } from '../worktree/place.ts'
import { keepLeftovers, type Workplace } from '../worktree/workplace.ts'
import type { PhaseReport } from './run-phase.ts'
import type { Desk, Heard, Job, RalphOrder, RunResult } from './run-plan.ts'
import type { Bench } from './run-work-phase.ts'

/** How a run lets its agent work once, and how it judges what came of it. */
export interface RalphSteps {
  letWork(job: Job, desk: Desk, phase: string): Promise<Heard>
  judge(heard: Heard): Promise<RunResult>
}

interface Loop extends Bench, RalphSteps {
  order: RalphOrder
  /** What all iterations so far have spent, and what happened beside them. */
  usage: Usage | null
  incidents: readonly string[]
  strayed: readonly string[]
  /** What the next iteration is told of the last one. */
  lesson: string
}

export async function loopUntilDone(bench: Bench, order: RalphOrder, steps: RalphSteps): Promise<RunResult> {
  const loop: Loop = { ...bench, ...steps, order, usage: null, incidents: [], strayed: [], lesson: '' }
  const { heard } = bench.job
  // An earlier run died when its agent had promised: that is judged first.
  const before = heard === null ? null : await loop.judge(heard)
  if (before !== null && !goesOn(before)) return before
  if (before !== null) loop.lesson = lessonOf(before)
  for (let iteration = 1; ; iteration++) {
    if (before !== null || iteration > 1) beginAgain(loop)
    const result = await iterate(loop, iteration)
    if (result !== null) return result
  }
}

/** What a restart would take for the agent's last word no longer is. */
function beginAgain({ job, desk }: Loop): void {
  desk.keepHeard(job, null)
  desk.step(job, 'working')
}

/** Null: another iteration follows. */
async function iterate(loop: Loop, iteration: number): Promise<RunResult | null> {
  const { order, desk, judge } = loop
  const isLast = iteration >= order.maxIterations
  const { heard, isPromised } = await callOnce(loop, iteration)
  if (heard.report.failure !== null) return judge(heard)
  if (isPromised) return settlePromise(loop, await judge(heard), isLast)
  if (desk.stop.aborted) return judge(failing(heard, 'interrupted', 'stopped by a person'))
  if (isLast)
    return judge(failing(heard, 'max-iterations', `no promise in ${plural(order.maxIterations, 'iteration')}`))
  return keepIteration(loop, heard, iteration)
}

async function callOnce(loop: Loop, iteration: number): Promise<{ heard: Heard; isPromised: boolean }> {
  const { job, order, desk } = loop
  const prompt = promptOf(loop, iteration)
  const ear = openPromiseEar(prompt)
  const listening: Desk = {
    ...desk,
    progress: (_job, progress) => desk.progress(job, addSpent(loop.usage, progress)),
    log: (_job, phase, stream, line, events) => {
      // A client's answer is what it prints; on its other stream it tells about itself, its prompt included.
      if (stream === 'out') hearEvents(job, ear, events as readonly AgentEvent[])
      desk.log(job, phase, stream, line, events)
    },
  }
  const phase = `${loop.phase.name} (iteration ${iteration} of ${order.maxIterations})`
  const heard = await loop.letWork({ ...job, prompt, resume: null }, listening, phase)
  const usage = addSpent(loop.usage, heard.report.usage)
  loop.usage = usage
  loop.incidents = [...loop.incidents, ...heard.incidents]
  loop.strayed = [...loop.strayed, ...heard.strayed]
  const { incidents, strayed } = loop
  return { heard: { ...heard, report: { ...heard.report, usage }, incidents, strayed }, isPromised: ear.isPromised() }
}

/** Of plain text every line is an event; where a client speaks in events each is a message. */
function hearEvents({ agent }: Job, ear: ReturnType<typeof openPromiseEar>, events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.kind !== 'text' && event.kind !== 'result') continue
    if (agent.speaksEvents) ear.pause()
    for (const line of event.text.split('\n')) ear.hear(line)
  }
}

function promptOf({ job, order, desk, workplace, lesson }: Loop, iteration: number): string {
  const loopPart = fillPrompt(order.template, {
    iteration: String(iteration),
    max_iterations: String(order.maxIterations),
    on_branch: onBranch(desk, workplace),
    last_iteration: lesson === '' ? '' : dataBlock('what the last iteration came to', lesson),
  })
  return `${job.prompt}\n${loopPart}`
}

/** More would only fill the context: git log shows the rest. */
const MOST_COMMITS = 20

function onBranch({ repo }: Desk, { branch, base }: Workplace): string {
  const format = ['--reverse', '--no-color', '--format=%h %s', `--max-count=${MOST_COMMITS}`]
  const commits = tryGit(repo, own('log', ...format, `${base}..refs/heads/${branch}`, '--')).stdout.toString()
  return commits === '' ? '' : dataBlock('commits on the branch so far, oldest first', commits)
}

/** A promise without work or with a red check is told to the next iteration, unless there is none. */
function settlePromise(loop: Loop, result: RunResult, isLast: boolean): RunResult | null {
  if (!goesOn(result)) return result
  if (loop.desk.stop.aborted)
    return { ...result, end: { ...result.end, outcome: 'interrupted', reason: 'interrupted' } }
  if (!isLast) {
    loop.lesson = lessonOf(result)
    return null
  }
  const { reason, detail } = result.end
  const told = `${plural(loop.order.maxIterations, 'iteration')}; the last promised, but: ${reason}: ${detail}`
  return { ...result, end: { ...result.end, reason: 'max-iterations', detail: told } }
}

const GOES_ON: ReadonlySet<FailureReason | undefined> = new Set(['no-changes', 'outside-changes', 'verify-failed'])

function goesOn({ end }: RunResult): boolean {
  return end.outcome === 'failed' && GOES_ON.has(end.reason)
}

/** Without a promise nothing is judged; what it left is on the branch before the next iteration may touch it. */
async function keepIteration(loop: Loop, heard: Heard, iteration: number): Promise<RunResult | null> {
  const { job, desk, workplace, phase } = loop
  const message = `${phase.message} (iteration ${iteration})`
  const kept = await keepLeftovers(markedBy(desk.repo, job.run), workplace, {
    message,
    identity: identityOf(desk.repo),
  })
  if (kept.astray !== null) return loop.judge(heard)
  const left = kept.refused.map(({ path, why }) => `${path}: ${why}`)
  loop.lesson = `It made no promise.\n${listBlock('Left uncommitted:', left)}`
  return null
}

const LONGEST_LESSON = 50_000

function lessonOf({ end }: RunResult): string {
  return clip(`It promised that the work is done, but: ${end.reason}\n${end.detail ?? ''}`, LONGEST_LESSON)
}

function failing(heard: Heard, reason: FailureReason, detail: string): Heard {
  return { ...heard, report: { ...heard.report, failure: { reason, detail, resetsAt: null } } }
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
