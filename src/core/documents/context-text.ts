/** The tasks around the current work, as the few lines that an agent receives. Titles only. */

import { type OutlineTask, stateWords } from '../graph/outline.ts'
import { command, type Sentence, sentenceText } from '../sentence.ts'
import { boxOf, isFinished } from '../task/status-predicates.ts'
import { oneLine } from '../text/one-line.ts'
import { printable } from '../text/printable.ts'
import { shortenToUnits } from '../text/shorten.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { NextSteps, TaskNames } from './next-steps.ts'

export interface ContextLine extends OutlineTask {
  number: number
  current: boolean
  /** The current step of the work on it: one of its parts, or a phase of its run. */
  step: string | null
  /** How many of its parts are finished; null if it has none. */
  parts: { done: number; total: number } | null
}

export interface ContextOptions {
  maxTokens: number
  /** The tasks that these are parts of, the outermost first. */
  path: readonly string[]
  plan: string | null
  /** There are more tasks that were not read. */
  isCut: boolean
  /** What the reader should do, and how it names tasks and commands. Prompts have that in another place. */
  guide?: ContextGuide | undefined
}

export interface ContextGuide {
  next: NextSteps
  names: TaskNames
  /** A sentence as the reader's face words it. */
  say(sentence: Sentence): string
}

export interface ContextText {
  markdown: string
  /** The lines that it contains. */
  shown: ContextLine[]
  omitted: number
}

const HEADING = '## Current Tasks\n'
const NOTHING = 'No open tasks.\n'
const LONGEST_TITLE = 200

/** The text around the lines. */
interface Frame {
  foot: string
  guide: ContextGuide | undefined
  /** What to do next. */
  next: string
  mentionsRest: boolean
}

/**
 * As many lines as fit, in their order: first the current one, then those that agents have, then the nearest. The text
 * mentions that some are left out. If there is no room for all of that, the text around the current line is dropped
 * first.
 */
export function contextText(lines: readonly ContextLine[], options: ContextOptions): ContextText {
  const { maxTokens: most, isCut, guide } = options
  const whole: Frame = { foot: footOf(options), guide, next: nextText(guide), mentionsRest: true }
  const bare: Frame = { ...whole, foot: '', next: '', guide: undefined }
  const frames = [
    ...[whole, { ...whole, foot: '' }, { ...bare, next: briefNext(guide) }],
    ...[bare, { ...bare, mentionsRest: false }],
  ]
  for (const frame of frames) {
    const text = fillFrame(lines, frame, { most, isCut, say: guide?.say ?? sentenceText })
    if (estimateTokens(text.markdown) <= most) return text
  }
  return onlyCurrent(lines, most)
}

type Say = ContextGuide['say']

function fillFrame(
  lines: readonly ContextLine[],
  { foot, guide, next, mentionsRest }: Frame,
  { most, isCut, say }: { most: number; isCut: boolean; say: Say },
): ContextText {
  const rest = (omitted: number) => (mentionsRest && (omitted > 0 || isCut) ? leftOut(omitted, isCut, say) : '')
  const around = estimateTokens(
    `${HEADING}${leftOut(lines.length, true, say)}${foot}${next}${namesOf(lines.slice(0, 1), guide)}`,
  )
  const fitting = chooseLines(lines, most - around, guide)
  const isWhole = !isCut && fitting.length === lines.length
  // Several lines without a mention of the others would look complete.
  const chosen = new Set(mentionsRest || isWhole ? fitting : fitting.slice(0, 1))
  const shown = lines.filter((line) => chosen.has(line))
  const omitted = lines.length - shown.length
  const body = lines.length === 0 ? NOTHING : shown.map((line) => lineText(line)).join('')
  return { markdown: `${HEADING}${body}${namesOf(shown, guide)}${rest(omitted)}${foot}${next}`, shown, omitted }
}

function onlyCurrent(lines: readonly ContextLine[], most: number): ContextText {
  const shown = lines.filter(({ current }) => current).slice(0, 1)
  const [line] = shown
  const title = line === undefined ? 0 : Math.min(lineOf(line.title).length, LONGEST_TITLE)
  const tries = Array.from({ length: title }, (_, at) => title - at)
  const fits = (text: string) => estimateTokens(text) <= most
  const longest = line && tries.find((length) => fits(lineText(line, length)))
  const whole = line === undefined ? NOTHING : lineText(line, longest ?? 1)
  return { markdown: cutTo(whole, fits), shown, omitted: lines.length - shown.length }
}

/** Its beginning, if the whole is too long. */
function cutTo(text: string, fits: (text: string) => boolean): string {
  let left = text
  while (!fits(left)) left = left.slice(0, -1).toWellFormed()
  return left
}

function chooseLines(lines: readonly ContextLine[], available: number, guide: ContextGuide | undefined): ContextLine[] {
  const at = Math.max(
    0,
    lines.findIndex(({ current }) => current),
  )
  const ranked = lines
    .map((line, index) => ({ line, rank: rankOf(line), far: Math.abs(index - at) }))
    .sort((a, b) => a.rank - b.rank || a.far - b.far)
  let left = available
  const fitting = ranked.filter(({ line, rank }) => {
    const tokens = estimateTokens(lineText(line)) + (guide ? estimateTokens(`, ${guide.names.name(line)}`) : 0)
    if (rank > 0 && tokens > left) return false
    left -= tokens
    return true
  })
  return fitting.map(({ line }) => line)
}

function rankOf(line: ContextLine): number {
  if (line.current) return 0
  return line.status === 'in_progress' || (line.assigned_agent !== null && !isFinished(line)) ? 1 : 2
}

function lineText(line: ContextLine, longest = LONGEST_TITLE): string {
  const title = shortenToUnits(lineOf(line.title), longest)
  return `- ${boxOf(line)} ${title} (${wordsOf(line)})${line.current ? '  <-- current' : ''}\n`
}

function lineOf(text: string): string {
  return printable(oneLine(text))
}

function wordsOf(line: ContextLine): string {
  if (line.assigned_agent === null && line.parts !== null && line.step === null && !isFinished(line))
    return `${line.parts.done} of ${line.parts.total} done`
  return stateWords(line, {
    isShared: true,
    step: line.step === null ? undefined : shortenToUnits(lineOf(line.step), LONGEST_TITLE),
  })
}

function leftOut(count: number, isCut: boolean, say: Say): string {
  const many = count === 0 ? 'More' : isCut ? `${count} or more` : String(count)
  return `\n(${many} ${count === 1 && !isCut ? 'task is' : 'tasks are'} left out; ${say(command`tree`)} shows all.)\n`
}

/** The list has the form of a checklist, in which only titles have a place. */
function namesOf(shown: readonly ContextLine[], guide: ContextGuide | undefined): string {
  if (guide === undefined || shown.length === 0) return ''
  return `\nIn this order: ${shown.map((line) => guide.names.name(line)).join(', ')}\n`
}

function nextText(guide: ContextGuide | undefined): string {
  if (guide === undefined) return ''
  const { next, say } = guide
  const steps = next.steps.map((step) => `- \`${say(step.command)}\` ${step.does}\n`)
  return `\n## Next\n${say(next.says)}\n${steps.join('')}`
}

function briefNext(guide: ContextGuide | undefined): string {
  const [first] = guide?.next.steps ?? []
  return guide && first ? `\nNext: \`${guide.say(first.command)}\`\n` : ''
}

function footOf({ path, plan }: ContextOptions): string {
  const whole = path.length === 0 ? '' : `Part of: ${path.map(lineOf).join(' > ')}\n`
  const from = plan === null ? '' : `Plan: ${lineOf(plan)}\n`
  return whole + from === '' ? '' : `\n${whole}${from}`
}
