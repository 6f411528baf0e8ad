import { isAgentDown } from '../../../core/run/run-rules.ts'
import { commandLine } from '../../../core/sentence.ts'
import { titleOf } from '../../../core/task/task.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { InTreeReport } from '../../../scheduler/in-tree/run-tasks-in-tree.ts'
import type { WorkReport, WorkWatcher } from '../../../scheduler/work-on-tasks.ts'
import type { CallContext } from '../../call-context.ts'
import type { Display } from '../../terminal/display.ts'
import { landLines, renderSessionLanding } from '../land/landing.ts'
import { keyedTitle } from '../task-text.ts'
import { phaseWords } from '../watch/run-rows.ts'
import { deadlockLine } from './deadlock.ts'
import { reviewLine } from './review-line.ts'
import type { LandEvent, WorkLines } from './work-lines.ts'
import { showLive } from './work-live.ts'

type RunEnd = Parameters<WorkWatcher['ended']>[1]['end']
type RunPlan = Parameters<WorkWatcher['started']>[0]

/**
 * What is said while agents work: a line for each thing that happens, and on a terminal, below them, one for each running
 * task that is redrawn in place. With --json it goes to stderr, line by line.
 */
export function workLines(context: CallContext, json: boolean): WorkLines {
  const isLive = !json && context.display.width !== null && context.env.TERM !== 'dumb'
  return isLive
    ? showLive(context, (say) => eventLines(say, context.display))
    : plainLines(context, json ? 'err' : 'out')
}

function plainLines(context: CallContext, stream: 'out' | 'err'): WorkLines {
  const write = (name: 'out' | 'err') => (line: string) => {
    context[name].write(`${line}\n`)
    context[name].flush()
  }
  const lines = eventLines(write(stream), context.display)
  const phases = new Map<string, string>()
  return {
    ...lines,
    progress(plan, { phase }) {
      if (phase === undefined || phases.get(plan.run) === phase) return
      phases.set(plan.run, phase)
      if (phase !== 'review' && plan.review === null) write(stream)(`  #${plan.number} ${phaseWord(phase)}...`)
    },
    warned: write('err'),
    close() {},
  }
}

function phaseWord(phase: string): string {
  const word = phaseWords(phase)
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** The beginning and the end of each run, which stay. */
function eventLines(
  say: (line: string) => void,
  display: Display,
): Pick<WorkLines, 'said' | 'started' | 'reviewMoved' | 'ended' | LandEvent> {
  const { style } = display
  const running = new Set<string>()
  return {
    ...landLines(say, display),
    said: (sentence) => say(printable(sentence)),
    started(plan) {
      running.add(plan.run)
      say(startedLine(plan))
    },
    reviewMoved(plan, at, news) {
      // Beside others each line says whose it is.
      const name = running.size > 1 ? `#${plan.number} ` : ''
      say(`  ${name}${reviewLine(at, news)}`)
    },
    ended(plan, { end }, task) {
      running.delete(plan.run)
      if (end.outcome === 'completed') say(style.green(`✓ ${completedWords(plan, task.type, end)}`))
      else if (end.outcome === 'interrupted')
        say(style.yellow(`Task #${plan.number} interrupted${keptWords(plan, end)}`))
      else
        say(
          style.red(`✗ Task #${plan.number} failed: ${end.reason} (attempt ${plan.attempt})${reasonLines(end.detail)}`),
        )
    },
  }
}

function startedLine({ number, task, attempt }: RunPlan): string {
  if (task.type === 'review') return `Running review task #${number}...`
  const again = attempt > 1 ? ` (attempt ${attempt})` : ''
  return `Running task #${number}: ${keyedTitle({ key: task.key, title: titleOf(task) })}${again}`
}

function completedWords(plan: RunPlan, type: string, { verdict, review_cycle = 0 }: RunEnd): string {
  const cycles = review_cycle > 0 ? ` (${verdict} after ${plural(review_cycle, 'cycle')})` : ''
  if (type !== 'review') return `Task #${plan.number} completed${cycles}`
  return `Review completed${verdict === undefined ? '' : `: ${verdict}`}`
}

/** Of a text nothing is kept, in a person's own tree all is; and there may have been no time to make anything. */
function keptWords({ branch, output }: RunPlan, { head }: RunEnd): string {
  if (output !== null) return ''
  if (branch === null) return '; its work is kept'
  return head === undefined ? ' before it began' : `; its work is kept on ${branch}`
}

/** What failed, and what was said last about it: a check says its reason at the end. */
function reasonLines(detail = ''): string {
  const lines = detail.split('\n').filter((line) => line.trim() !== '')
  const told = [...new Set([...lines.slice(0, 1), ...lines.slice(-1)])]
  return told.map((line) => `\n  ${printable(line.trim().slice(0, 200))}`).join('')
}

/** Agents that could not be started or logged in. */
export function agentsDown({ failed }: WorkReport): string[] {
  return [
    ...new Set(
      failed.flatMap(({ plan, result }) => (isAgentDown(result.end.reason) ? [result.caller ?? plan.agent.name] : [])),
    ),
  ]
}

/** What is left to say at the end. */
export function* renderWorkReport(report: WorkReport, display: Display): Iterable<string> {
  for (const { agent, until } of report.paused) {
    yield display.style.yellow(
      `${printable(agent)} is at its usage limit until ${until}; ${commandLine`work`} goes on with it then`,
    )
  }
  if (report.day !== null) yield display.style.yellow(daySpentLine(report.day))
  for (const agent of agentsDown(report)) {
    yield display.style.yellow(
      `${printable(agent)} cannot be used until a person has looked after it: ${commandLine`inbox`}`,
    )
  }
  yield* renderSessionLanding(report, display)
  const landed = report.landing?.landed ?? []
  const said = [report.completed, report.failed, report.interrupted, report.refused, report.paused, landed]
  if (report.deadlock !== null) yield deadlockLine(report.deadlock, display)
  else if (report.day === null && said.every(({ length }) => length === 0)) yield 'Nothing to work on.'
}

function daySpentLine({ spent, until }: NonNullable<WorkReport['day']>): string {
  return `The day's budget is spent (${spent}); nothing more is started before ${until}`
}

/** 002's two closing lines, and only when nothing is open. */
export function* renderRunReport(report: InTreeReport, display: Display): Iterable<string> {
  for (const { id, title, agent } of report.planned) yield `${id}: ${printable(title)} (${printable(agent)})`
  for (const id of report.skipped) yield display.style.yellow(`${id}: skipped, its agent failed 3 times`)
  if (report.paused) {
    yield display.style.yellow(`${printable(report.paused.agent)} is at its usage limit until ${report.paused.until}`)
  }
  if (report.day !== null) yield display.style.yellow(daySpentLine(report.day))
  if (report.stopped !== null) yield display.style.red(printable(report.stopped))
  if (!report.isAllDone) return
  yield 'All tasks complete!'
  yield 'Run: git tasks pr'
}
