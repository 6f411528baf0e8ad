import type { ReviewNews } from '../../../core/run/review-cycles.ts'
import { isAgentDown } from '../../../core/run/run-rules.ts'
import { command, commandLine } from '../../../core/sentence.ts'
import { titleOf } from '../../../core/task/task.ts'
import { firstAndLast, firstLine } from '../../../core/text/first-line.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import { shorten } from '../../../core/text/shorten.ts'
import { weakeningText } from '../../../core/weakened/weakening.ts'
import type { EndedInTree } from '../../../scheduler/in-tree/run-tasks-in-tree.ts'
import type { WorkEvents, WorkReport } from '../../../scheduler/work-report.ts'
import type { Display } from '../../terminal/display.ts'
import { renderSessionLanding } from '../land/landing.ts'
import { keyedTitle } from '../task-text.ts'
import { phaseWords } from '../watch/run-rows.ts'
import { inWords, redBaseLines } from './base.ts'
import { deadlockLine } from './deadlock.ts'

type RunEnded = Pick<Parameters<WorkEvents['ended']>[1], 'end' | 'hasWorked'>
type RunEnd = RunEnded['end']
type RunPlan = Parameters<WorkEvents['started']>[0]

export function phaseLine({ subject: { number } }: RunPlan, phase: string): string {
  const words = phaseWords(phase)
  return `  #${number} ${words.slice(0, 1).toUpperCase()}${words.slice(1)}...`
}

export function startedLine({ subject: { number, task, attempt } }: RunPlan): string {
  if (task.type === 'review') return `Running review task #${number}...`
  const again = attempt > 1 ? ` (attempt ${attempt})` : ''
  return `Running task #${number}: ${keyedTitle({ key: task.key, title: titleOf(task) })}${again}`
}

export function endedLine(plan: RunPlan, { end, hasWorked }: RunEnded, type: string, { style }: Display): string {
  if (end.outcome === 'completed')
    return `${style.green(`✓ ${completedWords(plan, type, end)}`)}${outsideLine(end, style)}${weakenedLines(end, style)}`
  if (end.reason === 'question')
    return style.yellow(`? Task #${plan.subject.number} asks: ${printable(firstLine(end.detail ?? ''))}`)
  if (end.outcome === 'interrupted')
    return style.yellow(`Task #${plan.subject.number} interrupted${keptWords(plan, end, hasWorked ?? false)}`)
  const attempt = `(attempt ${plan.subject.attempt})`
  return style.red(`✗ Task #${plan.subject.number} failed: ${end.reason} ${attempt}${reasonLines(end)}`)
}

/** What a person should look at before it lands. */
function outsideLine({ outside = [] }: RunEnd, style: Display['style']): string {
  return outside.length === 0 ? '' : `\n  ${style.yellow(`outside of its files: ${printable(outside.join(', '))}`)}`
}

function weakenedLines({ weakened = [] }: RunEnd, style: Display['style']): string {
  return weakened.map((each) => `\n  ${style.yellow(`weakened: ${printable(weakeningText(each))}`)}`).join('')
}

function completedWords(plan: RunPlan, type: string, { verdict, review_cycle = 0 }: RunEnd): string {
  const cycles = review_cycle > 0 ? ` (${verdict} after ${plural(review_cycle, 'cycle')})` : ''
  if (type !== 'review') return `Task #${plan.subject.number} completed${cycles}`
  return `Review completed${verdict === undefined ? '' : `: ${verdict}`}`
}

/** A run that only writes a text keeps nothing; a run in a person's own tree keeps everything. */
function keptWords({ place: { branch, output } }: RunPlan, { head }: RunEnd, hasWorked: boolean): string {
  if (output !== null) return ''
  if (branch === null) return '; its work is kept'
  if (head !== undefined) return `; its work is kept on ${branch}`
  return hasWorked
    ? `; its work is in its worktree, and the next ${commandLine`work`} continues with it`
    : ' before it began'
}

/** The first line of the detail, which names what failed. Of a crash, also the last lines that the client printed. */
function reasonLines({ reason, detail = '' }: RunEnd): string {
  const lines = firstAndLast(detail, reason === 'agent-error' ? LAST_WORDS : 0)
  return lines.map((line) => `\n  ${printable(shorten(line.trim(), LONGEST_LINE))}`).join('')
}

const LAST_WORDS = 5
const LONGEST_LINE = 400

const BEGAN = { implement: 'Implementing...', review: 'Running review...', improve: 'Improving...' }

/** `[2/3] Improving...`: the review cycle, and what has just happened in it. */
export function reviewLine({ cycle, of }: { cycle: number; of: number }, news: ReviewNews): string {
  const place = `[${cycle}/${of}]`
  switch (news.kind) {
    case 'began':
      return `${place} ${BEGAN[news.phase]}`
    case 'implemented':
      return `${place} Implementation complete`
    case 'reviewed':
      return `${place} Review: ${news.verdict}${news.summary === null ? '' : ` - ${printable(news.summary)}`}`
    case 'exhausted':
      return `Max review cycles (${of}) reached without approval`
    default:
      return news satisfies never
  }
}

/** Agents that could not be started or logged in. */
export function agentsDown({ failed }: WorkReport): string[] {
  return [
    ...new Set(
      failed.flatMap(({ plan, result }) =>
        isAgentDown(result.end.reason) ? [result.caller ?? plan.worker.agent.name] : [],
      ),
    ),
  ]
}

/** What is left to print at the end. `isStopped`: by a person, so that nothing done does not mean nothing to do. */
export function* renderWorkReport(report: WorkReport, display: Display, isStopped: boolean): Iterable<string> {
  for (const { agent, until } of report.paused) {
    yield display.style.yellow(
      `${printable(agent)} is at its usage limit until ${until}; ${inWords(display, command`work`)} continues with it then, and ${inWords(display, command`agents resume ${agent}`)} lifts the pause now`,
    )
  }
  for (const { number } of report.asked)
    yield display.style.yellow(`Answer it: ${inWords(display, command`answer ${number} TEXT`)}`)
  if (report.day !== null) yield display.style.yellow(daySpentLine(report.day))
  if (report.baseRed !== null) yield* redBaseLines(report.baseRed, display)
  for (const agent of agentsDown(report)) {
    yield display.style.yellow(
      `${printable(agent)} cannot be used until a person has fixed it: ${inWords(display, command`inbox`)}`,
    )
  }
  yield* renderSessionLanding(report, display)
  const landed = report.landing?.landed ?? []
  const parts = [
    report.completed,
    report.failed,
    report.interrupted,
    report.asked,
    report.refused,
    report.paused,
    landed,
  ]
  if (report.deadlock !== null) yield deadlockLine(report.deadlock, display)
  else if (report.day === null && report.baseRed === null && parts.every(({ length }) => length === 0))
    yield isStopped ? 'Stopped before a task was started.' : 'Nothing to work on.'
}

function daySpentLine({ spent, until }: NonNullable<WorkReport['day']>): string {
  return `The day's budget is spent (${spent}); nothing more is started before ${until}`
}

/** Ends with two fixed lines, and only when nothing is open. */
export function* renderRunReport(report: Omit<EndedInTree, 'fault' | 'end'>, display: Display): Iterable<string> {
  for (const { id, title, agent } of report.planned) yield `${id}: ${printable(title)} (${printable(agent)})`
  for (const { id } of report.skipped) yield display.style.yellow(`${id}: skipped, its agent failed 3 times`)
  if (report.paused) {
    const { agent, until } = report.paused
    yield display.style.yellow(
      `${printable(agent)} is at its usage limit until ${until}; ${inWords(display, command`agents resume ${agent}`)} lifts the pause`,
    )
  }
  if (report.day !== null) yield display.style.yellow(daySpentLine(report.day))
  for (const what of report.nested)
    yield display.style.red(
      `Before you use git here: ${printable(what)}; ${inWords(display, command`inbox`)} says what to do`,
    )
  if (report.stopped !== null) yield display.style.red(printable(report.stopped))
  if (!report.isAllDone) return
  yield 'All tasks complete!'
  yield 'Run: git tasks pr'
}
