import { plainLine } from '../../../core/run/count-tests.ts'
import { firstLine } from '../../../core/text/first-line.ts'
import { printable } from '../../../core/text/printable.ts'
import type { AgentEvent } from '../../../runs/watch/logged-events.ts'
import type { LogPart } from '../../../runs/watch/read-logs.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo } from '../../terminal/fit-to.ts'
import { dollars, elapsed, shortCount } from '../amounts.ts'

type Line = Extract<LogPart, { kind: 'line' }>
type End = NonNullable<Extract<LogPart, { kind: 'end' }>['end']>

/** A run's log for people: what the agent wrote and did, with the time, and the result. */
export function logReader(display: Display): (part: LogPart) => Iterable<string> {
  let phase = ''
  let lastText = ''
  return function* (part) {
    if (part.kind === 'run') {
      const { run, number, title, attempt, agent } = part
      yield display.style.bold(fitTo(`#${number} ${printable(firstLine(title))}`, 0, display))
      yield display.style.dim(`attempt ${attempt} by ${printable(agent)}, run ${printable(run)}`)
    } else if (part.kind === 'line') {
      if (part.record.phase !== phase) yield display.style.bold(`── ${printable(part.record.phase)}`)
      phase = part.record.phase
      yield* lineOf(part, lastText, display)
      lastText = part.events.findLast((event) => event.kind === 'text')?.text ?? lastText
    } else if (part.end !== null) yield* endLines(part.end, display)
  }
}

/** The lines as the agent wrote them. Escape sequences are made visible, because a terminal would obey them. */
export function* rawLines(part: LogPart): Iterable<string> {
  if (part.kind === 'line') yield printable(part.record.line, { multiline: true })
}

/** A line for --json, with the run that it belongs to. */
export function logFields({ number, run }: { number: number; run: string }, { record, events }: Line) {
  const { at, phase, stream, line, cut = null } = record
  return { number, run, at, phase, stream, line, events: events.map(eventFields), cut }
}

function eventFields(event: AgentEvent): object {
  if (event.kind !== 'limit') return event
  const { kind, message, resetsAt, ofModel = false } = event
  return { kind, message, resets_at: resetsAt, of_model: ofModel }
}

function* lineOf({ record, events }: Line, lastText: string, display: Display): Iterable<string> {
  const time = display.style.dim(timeOf(record.at))
  const texts = events.map((event) => eventText(event, lastText, display)).filter((text) => text !== null)
  // A line whose events are not shown is left out. A line without any event may explain a failure, so it is shown.
  if (events.length === 0 && record.stream === 'err') texts.push(display.style.dim(block(record.line)))
  if (record.stream === 'gza') texts.push(display.style.yellow(block(record.line)))
  for (const text of texts) yield `${time}  ${text.replaceAll('\n', `\n${INDENT}`)}`
}

const INDENT = ' '.repeat('00:00:00  '.length)

function eventText(event: AgentEvent, lastText: string, { style }: Display): string | null {
  switch (event.kind) {
    case 'text':
      return block(event.text)
    case 'tool':
      return style.dim(block(`→ ${event.name}${event.detail === '' ? '' : `: ${event.detail}`}`))
    case 'denied':
      return style.yellow(block(`denied: ${event.name}${event.detail === '' ? '' : `: ${event.detail}`}`))
    case 'limit':
      return style.yellow(block(`usage limit: ${event.message}${event.resetsAt ? ` (until ${event.resetsAt})` : ''}`))
    case 'error':
      return style.red(block(`error: ${event.message}`))
    case 'result': {
      const text = event.text === lastText ? '' : event.text
      const word = event.ok ? 'finished' : `failed: ${event.reason ?? 'no reason given'}`
      return [event.ok ? style.green(block(word)) : style.red(block(word)), block(text)].filter(Boolean).join('\n')
    }
    case 'session':
    case 'turn':
    case 'tokens':
    case 'cost':
      return null
    default:
      return event satisfies never
  }
}

/** The result of the run, as the ledger records it. */
function* endLines(end: End, { style }: Display): Iterable<string> {
  const tokens = Number(end.tokens_in ?? 0) + Number(end.tokens_out ?? 0)
  const usd = Number(end.cost_usd ?? 0)
  const facts = [
    elapsed((Date.parse(end.ended_at ?? '') - Date.parse(end.started_at)) / 1000),
    ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : []),
    ...(usd > 0 ? [dollars(usd)] : []),
  ]
  if (end.outcome === 'completed') {
    yield style.green(`✓ completed (${facts.join(', ')})`)
    return
  }
  const why = end.reason === undefined || end.reason === end.outcome ? '' : `: ${end.reason}`
  const line = `✗ ${end.outcome}${why} (${facts.join(', ')})`
  yield end.outcome === 'interrupted' ? style.yellow(block(line)) : style.red(block(line))
  if (end.detail) yield `  ${block(String(end.detail)).replaceAll('\n', '\n  ')}`
}

/** Without colours, which would appear as escapes, and without what a progress bar has overwritten. */
function block(text: string): string {
  const lines = text.trimEnd().split('\n').map(plainLine)
  return printable(lines.join('\n'), { multiline: true })
}

/** In the reader's time zone. */
function timeOf(at: string): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
}
