/** The tasks around the work as the few lines that an agent is told of them (004). Titles only. */
import { isFinished, type OutlineTask, stateWords } from './outline.ts'

export interface ContextLine extends OutlineTask {
  current: boolean
  /** Where the work on it stands: one of its parts, or a phase of its run. */
  step: string | null
  /** How many of its parts are finished; null where it has none. */
  parts: { done: number; total: number } | null
}

export interface ContextOptions {
  maxTokens: number
  /** What these tasks are parts of, the outermost first. */
  path: readonly string[]
  plan: string | null
  /** Tasks that were not even looked at. */
  isCut: boolean
}

export interface ContextText {
  markdown: string
  /** Which of the lines stand in it. */
  shown: ContextLine[]
  omitted: number
}

/** About what the usual tokenizers make of English and code. */
const CHARACTERS_A_TOKEN = 4
const HEADING = '## Current Tasks\n'
const LONGEST_TITLE = 200

/**
 * As many lines as fit, in their order: the current one always, then those that agents have, then the nearest. What is left
 * out is said.
 */
export function contextText(lines: readonly ContextLine[], options: ContextOptions): ContextText {
  const foot = footOf(options)
  const room =
    options.maxTokens * CHARACTERS_A_TOKEN - HEADING.length - foot.length - leftOut(lines.length, true).length
  const chosen = new Set(chooseLines(lines, room))
  const shown = lines.filter((line) => chosen.has(line))
  const omitted = lines.length - shown.length
  const body = lines.length === 0 ? 'No open tasks.\n' : shown.map(lineText).join('')
  const rest = omitted > 0 || options.isCut ? leftOut(omitted, options.isCut) : ''
  return { markdown: `${HEADING}${body}${rest}${foot}`, shown, omitted }
}

function chooseLines(lines: readonly ContextLine[], room: number): ContextLine[] {
  const at = Math.max(
    0,
    lines.findIndex(({ current }) => current),
  )
  const ranked = lines
    .map((line, index) => ({ line, rank: rankOf(line), far: Math.abs(index - at) }))
    .sort((a, b) => a.rank - b.rank || a.far - b.far)
  let left = room
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

function lineText(line: ContextLine): string {
  const title = line.title.replace(/\s+/g, ' ').trim()
  const short = title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1).toWellFormed()}…` : title
  return `- [${isFinished(line) ? 'x' : ' '}] ${short} (${wordsOf(line)})${line.current ? '  <-- current' : ''}\n`
}

function wordsOf(line: ContextLine): string {
  if (line.assigned_agent === null && line.parts !== null && line.step === null && !isFinished(line))
    return `${line.parts.done} of ${line.parts.total} done`
  return stateWords(line, { isShared: true, step: line.step ?? undefined })
}

function leftOut(count: number, isCut: boolean): string {
  const many = count === 0 ? 'More' : isCut ? `${count} or more` : String(count)
  return `\n(${many} ${count === 1 && !isCut ? 'task is' : 'tasks are'} left out; gza tree shows all.)\n`
}

function footOf({ path, plan }: ContextOptions): string {
  const whole = path.length === 0 ? '' : `Part of: ${path.map((title) => title.replace(/\s+/g, ' ')).join(' > ')}\n`
  const from = plan === null ? '' : `Plan: ${plan.replace(/\s+/g, ' ')}\n`
  return whole + from === '' ? '' : `\n${whole}${from}`
}
