import { command, type Sentence, sentence, sentenceText } from '../../../core/sentence.ts'
import { firstLine } from '../../../core/text/first-line.ts'
import { printable } from '../../../core/text/printable.ts'
import type { BaseEvents, WorkReport } from '../../../scheduler/work-report.ts'
import { type Display, programOf } from '../../terminal/display.ts'
import { elapsed } from '../amounts.ts'

type BaseRed = NonNullable<WorkReport['baseRed']>
type BaseCheck = Parameters<BaseEvents['checking']>[0]

/** `Checking main (1a2b3c4) before agents start: npm ci && npm test` */
export function checkingLine(check: BaseCheck): string {
  return printable(`Checking ${nameOf(check)} ${check.why}: ${check.run}`)
}

/** `main (1a2b3c4) passes its checks (3m05s)` */
export function checkedLine(check: BaseCheck, isGreen: boolean, seconds: number): string {
  return printable(`${nameOf(check)} ${isGreen ? 'passes' : 'fails'} its checks (${elapsed(seconds)})`)
}

/** What is wrong with the base, how to see it, and the ways on. */
export function* redBaseLines(red: BaseRed, display: Display): Iterable<string> {
  const line = `✗ ${nameOf(red)} ${failsHow(red)}, so no agent is started: ${firstLine(red.detail)}`
  yield display.style.red(printable(line))
  yield seeLine(red)
  yield `  ${inWords(display, sentence`${command`work`} looks again. ${waysFor(red)}`)}`
}

/** The same for a session that waits. */
export function* heldLines(red: BaseRed, display: Display): Iterable<string> {
  yield `✗ ${nameOf(red)} ${failsHow(red)}: ${firstLine(red.detail)}`
  yield seeLine(red)
  // What a person writes into their own file counts for the next session.
  if (red.in_box) yield `  Then stop this one and start again. ${inWords(display, ANYWAY)}`
  else yield `  Waiting for another commit on ${red.base}; then it is checked again. ${inWords(display, WAYS)}`
}

const ANYWAY = sentence`${command`work --no-base-check`} starts agents anyway.`
const WAYS = sentence`${command`work ID`} lets an agent mend it. ${ANYWAY}`

function waysFor({ in_box }: BaseRed): Sentence {
  return in_box ? ANYWAY : WAYS
}

function nameOf({ base, commit }: Pick<BaseRed, 'base' | 'commit'>): string {
  return `${base} (${commit.slice(0, 7)})`
}

function failsHow({ in_box }: BaseRed): string {
  return in_box ? 'passes its checks outside, but fails them in a box' : 'fails its own checks'
}

function seeLine({ base, run, in_box }: BaseRed): string {
  return printable(in_box ? `  ${in_box.advice}` : `  See it in a checkout of ${base}: ${run}`)
}

export function inWords({ name }: Display, text: Sentence): string {
  return sentenceText(text, programOf(name))
}
