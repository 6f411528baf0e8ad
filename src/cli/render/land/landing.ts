import { commandLine } from '../../../core/sentence.ts'
import { firstLine } from '../../../core/text/first-line.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import { type Weakening, weakeningText } from '../../../core/weakened/weakening.ts'
import type { LandedTask, LandReport, ReturnedTask, WaitingLanding } from '../../../landing/land-report.ts'
import type { MergeReport } from '../../../landing/merge-tasks.ts'
import type { QueueItem } from '../../../landing/read-queue.ts'
import type { WorkReport } from '../../../scheduler/work-report.ts'
import type { Display } from '../../terminal/display.ts'
import { hangingLines } from '../../terminal/hanging-lines.ts'
import { renderSummary } from '../watch/summary.ts'

export function landedLine({ number, base, commits }: LandedTask, { style }: Display): string {
  const what = commits.length === 0 ? 'nothing was left to do' : plural(commits.length, 'commit')
  return style.green(`✓ Task #${number} landed on ${printable(base)} (${what})`)
}

export function returnedLine({ number, lead, outcome, detail, sent_back }: ReturnedTask, { style }: Display): string {
  const name = nameOf({ number, lead })
  const why = outcome === 'red' ? `verification failed with it: ${detail}` : detail
  return style.yellow(
    `${name} ${sent_back ? 'is sent back' : `cannot land, see ${commandLine`inbox`}`}: ${printable(why)}`,
  )
}

export function waitingLine({ path, detail, numbers }: WaitingLanding, base: string, { style }: Display): string {
  const names = numbers.map((number) => `#${number}`).join(', ')
  return style.yellow(`${names} verified, waiting to land on ${printable(base)}: ${printable(`${path} ${detail}`)}`)
}

/** `#1, #2 on main`, or `main` itself. */
export function verifyingWords(tasks: readonly number[], base: string): string {
  const names = tasks.map((number) => `#${number}`).join(', ')
  return names === '' ? `${printable(base)} itself` : `${names} on ${printable(base)}`
}

/** Tasks of one branch land together, and the result of one of them counts for all. */
function nameOf({ number, lead }: { number: number; lead: ReturnedTask['lead'] }): string {
  return lead === null ? `Task #${number}` : `Task #${number} lands with #${lead.number}, which`
}

/** What is left to print at the end. */
export function* renderMerge(report: MergeReport, display: Display, { dryRun }: { dryRun: boolean }): Iterable<string> {
  for (const { number, title, method } of report.planned)
    yield `Task #${number} would land on ${printable(report.base)} (${method}): ${printable(title)}`
  if (dryRun) for (const warning of report.warnings) yield display.style.yellow(printable(warning))
  for (const { number, lead, code, detail, next } of report.refused) {
    const name = nameOf({ number, lead })
    yield display.style.yellow(`${name} ${printable(detail)} (${code})`)
    if (next !== null) yield display.style.dim(`  ${next}`)
  }
  yield* renderStopped(report, display)
  const parts = [report.planned, report.landed, report.returned, report.refused]
  if (parts.every(({ length }) => length === 0) && report.waiting === null && report.stopped === null)
    yield 'Nothing to land.'
}

/** What landed by itself during `gza work`: the check of the base, and the progress of all tasks. */
export function* renderSessionLanding({ landing, summary }: WorkReport, display: Display): Iterable<string> {
  if (landing === null) return
  yield* renderStopped(landing, display)
  const { build } = landing
  if (build?.ok)
    yield display.style.green(`✓ Build verification passed on ${printable(build.base)} (${build.commit.slice(0, 7)})`)
  else if (build) {
    yield display.style.red(
      `✗ Build verification failed on ${printable(build.base)}: ${printable(firstLine(build.detail))}`,
    )
    if (build.in_box) yield printable(`  Outside of a box it passes. ${build.in_box.advice}`)
  }
  if (summary !== null && landing.landed.length > 0) yield* renderSummary(summary, display)
}

function* renderStopped({ base, stopped }: Pick<LandReport, 'base' | 'stopped'>, { style }: Display): Iterable<string> {
  if (stopped?.code !== 'BASE_RED') return
  const how = stopped.in_box ? 'passes verification outside, but not in a box' : 'itself does not pass verification'
  yield style.red(`${printable(base)} ${how}; nothing lands: ${printable(firstLine(stopped.detail))}`)
  if (stopped.in_box) yield printable(`  ${stopped.in_box.advice}`)
}

function* weakenedLines(weakened: readonly Weakening[], display: Display): Iterable<string> {
  for (const each of weakened)
    yield* hangingLines(`  weakened: ${printable(weakeningText(each))}`, 4, display).map(display.style.yellow)
}

const CALM: ReadonlySet<string> = new Set(['READY', 'VERIFYING', 'LANDING'])

export function* renderQueue(items: readonly QueueItem[], display: Display): Iterable<string> {
  const { style } = display
  for (const { number, title, code, detail, outside, weakened } of items) {
    const word = CALM.has(code) ? style.green(code) : style.yellow(code)
    yield* hangingLines(`${word}  #${number} ${printable(title)}`, 2, display)
    yield* hangingLines(`  ${printable(detail)}`, 4, display).map(style.dim)
    if (weakened.length > 0 && code !== 'WEAKENED') yield* weakenedLines(weakened, display)
    if (outside.length > 0 && code !== 'OUT_OF_SCOPE')
      yield* hangingLines(`  outside of its files: ${printable(outside.join(', '))}`, 4, display).map(style.yellow)
  }
}
