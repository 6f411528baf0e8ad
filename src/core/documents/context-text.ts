/** The tasks around the current work, as the few lines that an agent receives. Titles only. */

import { type OutlineTask, stateWords } from '../graph/outline.ts'
import { commandLine } from '../sentence.ts'
import { boxOf, isFinished } from '../task/status-predicates.ts'
import { oneLine } from '../text/one-line.ts'
import { printable } from '../text/printable.ts'
import { shortenToUnits } from '../text/shorten.ts'
import { CHARACTERS_A_TOKEN } from './fit-prompt.ts'

export interface ContextLine extends OutlineTask {
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
  heading: string
  foot: string
  mentionsRest: boolean
}

/**
 * As many lines as fit, in their order: first the current one, then those that agents have, then the nearest. The text
 * mentions that some are left out. If there is no room for all of that, the text around the current line is dropped
 * first.
 */
export function contextText(lines: readonly ContextLine[], options: ContextOptions): ContextText {
  const most = options.maxTokens * CHARACTERS_A_TOKEN
  const bare: Frame = { heading: HEADING, foot: '', mentionsRest: true }
  const frames = [{ ...bare, foot: footOf(options) }, bare, { ...bare, mentionsRest: false }]
  for (const frame of frames) {
    const text = fillFrame(lines, frame, { most, isCut: options.isCut })
    if (text.markdown.length <= most) return text
  }
  return onlyCurrent(lines, most)
}

function fillFrame(
  lines: readonly ContextLine[],
  { heading, foot, mentionsRest }: Frame,
  { most, isCut }: { most: number; isCut: boolean },
): ContextText {
  const kept = mentionsRest ? leftOut(lines.length, true).length : 0
  const fitting = chooseLines(lines, most - heading.length - foot.length - kept)
  const isWhole = !isCut && fitting.length === lines.length
  // Several lines without a mention of the others would look complete.
  const chosen = new Set(mentionsRest || isWhole ? fitting : fitting.slice(0, 1))
  const shown = lines.filter((line) => chosen.has(line))
  const omitted = lines.length - shown.length
  const body = lines.length === 0 ? NOTHING : shown.map((line) => lineText(line)).join('')
  const rest = mentionsRest && (omitted > 0 || isCut) ? leftOut(omitted, isCut) : ''
  return { markdown: `${heading}${body}${rest}${foot}`, shown, omitted }
}

function onlyCurrent(lines: readonly ContextLine[], most: number): ContextText {
  const shown = lines.filter(({ current }) => current).slice(0, 1)
  const [line] = shown
  const whole = line === undefined ? NOTHING : lineText(line)
  const title = line === undefined ? 0 : Math.min(lineOf(line.title).length, LONGEST_TITLE) - (whole.length - most)
  const cut = line === undefined || title < 1 ? whole : lineText(line, title)
  return { markdown: cut.slice(0, most).toWellFormed(), shown, omitted: lines.length - shown.length }
}

function chooseLines(lines: readonly ContextLine[], available: number): ContextLine[] {
  const at = Math.max(
    0,
    lines.findIndex(({ current }) => current),
  )
  const ranked = lines
    .map((line, index) => ({ line, rank: rankOf(line), far: Math.abs(index - at) }))
    .sort((a, b) => a.rank - b.rank || a.far - b.far)
  let left = available
  const fitting = ranked.filter(({ line, rank }) => {
    const { length } = lineText(line)
    if (rank > 0 && length > left) return false
    left -= length
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

function leftOut(count: number, isCut: boolean): string {
  const many = count === 0 ? 'More' : isCut ? `${count} or more` : String(count)
  return `\n(${many} ${count === 1 && !isCut ? 'task is' : 'tasks are'} left out; ${commandLine`tree`} shows all.)\n`
}

function footOf({ path, plan }: ContextOptions): string {
  const whole = path.length === 0 ? '' : `Part of: ${path.map(lineOf).join(' > ')}\n`
  const from = plan === null ? '' : `Plan: ${lineOf(plan)}\n`
  return whole + from === '' ? '' : `\n${whole}${from}`
}
