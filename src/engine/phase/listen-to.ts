/** Collects what an agent's client prints, and stops it once it has given its result or spent its budget. */
import type { Agent, AgentEvent } from '../../agents/agent.ts'
import { matters, mayMatter } from '../../agents/reading/skim-lines.ts'
import { decodeLines, lastLines } from '../../agents/reading/split-lines.ts'
import type { Env } from '../../platform/git/git.ts'
import { keepTail } from '../check/tail.ts'
import type { Redact } from '../guard/redact.ts'
import { keepLast } from '../log/keep-last.ts'
import type { Stream } from '../supervise/deliver-lines.ts'
import type { LineAnswer } from '../supervise/supervise.ts'
import type { Meter, Progress, RunContext } from './run-context.ts'
import type { RunWorker } from './run-plan.ts'

export interface Said {
  result: Extract<AgentEvent, { kind: 'result' }> | null
  limit: Extract<AgentEvent, { kind: 'limit' }> | null
  error: Extract<AgentEvent, { kind: 'error' }> | null
}

interface Call {
  redact: Redact
  phase: string
  meter: Meter
  context: Pick<RunContext, 'recorder' | 'observer' | 'host'>
  /** The client's session, if it is known already. */
  session: string | null
}

/** No review is longer, and a client may print endlessly. */
const LONGEST_TEXT = 200_000
/** They are stored in the ledger and repeated in the next prompt. */
const LAST_LINES = { lines: 20, characters: 2000 }
const MOST_DENIED = 20
/** Clients wait some minutes by themselves, and may continue after that. They need not wait longer for a limit. */
const FAR_RESET_MS = 5 * 60_000
/** How often the session's file of a silent client is read, and how long it may wait for a limit of unknown length. */
const SILENT_READ_MS = 5000
const LONGEST_WAIT_MS = 2 * 60_000
const NOTHING_SPENT = { input: 0, output: 0, usd: 0 }

export function listenTo({ agent, resume }: RunWorker, { redact, phase, meter, context, ...call }: Call) {
  const { recorder, observer, host } = context
  const read = agent.reader(resume?.spent)
  const usage = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  const said: Said = { result: null, limit: null, error: null }
  const printed = keepLast(LONGEST_TEXT)
  const tails = { out: keepTail(redact, LAST_LINES), err: keepTail(redact, LAST_LINES) }
  const denied = new Set<string>()
  let { session } = call
  let hasAnswered = false
  let silentReads = 0
  let words = ''
  if (session !== null) recorder.progress({ session })
  function take(event: AgentEvent): void {
    // A client that continues has recovered, also from a limit.
    if (agent.speaksEvents && (event.kind === 'text' || event.kind === 'tool'))
      Object.assign(said, { error: null, limit: null })
    if (event.kind === 'session') session = event.id
    else if (event.kind === 'turn') usage.turns = event.count
    else if (event.kind === 'text') words = event.text
    else if (event.kind === 'tokens') Object.assign(usage, { tokensIn: event.input, tokensOut: event.output })
    else if (event.kind === 'cost') usage.costUsd = event.usd
    else if (event.kind === 'result') usage.turns ||= event.turns ?? 0
    else if (event.kind === 'denied' && denied.size < MOST_DENIED) denied.add(callText(event))
    if (event.kind in said) Object.assign(said, { [event.kind]: event })
    recorder.progress(progressOf(event))
    if (!isAnswer(event)) return
    hasAnswered = true
    observer.answered(agent)
  }
  function takeLine(stream: Stream, line: string): void {
    const events = read(line)
    recorder.log({ phase, stream, line, event: events })
    for (const event of events) take(event)
  }
  const isText = (stream: Stream): boolean => stream === 'err' || !agent.speaksEvents
  /** Of a plain text, each line is an event. */
  const eventOf = (line: string): AgentEvent[] => {
    return agent.speaksEvents || line.trim() === '' ? [] : [{ kind: 'text', text: line.trimEnd() }]
  }
  function takeSome(stream: Stream, lines: readonly string[]): void {
    for (const line of lines) {
      if (matters(line)) takeLine(stream, line)
      else recorder.log({ phase, stream, line, event: eventOf(line) })
    }
    showLast(lines.at(-1) ?? '')
  }
  function skip(stream: Stream, lines: Uint8Array): void {
    recorder.logFlood({ phase, stream, lines, eventOf })
    showLast(decodeLines(lastLines(lines, 0))[0] ?? '')
  }
  function showLast(line: string): void {
    for (const event of eventOf(line)) take(event)
  }
  function answer(): LineAnswer {
    const passed = meter.spend({ usd: usage.costUsd, turns: usage.turns })
    // A client that reports its cost only at the end has done the work. Repeating it would cost more.
    if (passed !== null && !said.result?.ok) return { overBudget: passed }
    if (said.result !== null) return 'stop'
    return isLimitedForLong() ? 'end' : undefined
  }
  function isLimitedForLong(): boolean {
    const reset = said.limit !== null && agent.speaksEvents ? resetOf(agent, said.limit, host.now()) : null
    return reset !== null && Date.parse(reset) - host.clock() >= FAR_RESET_MS
  }
  function readSession(env: Env): AgentEvent[] {
    if (session === null || agent.readSessionFile === undefined) return []
    return agent.readSessionFile({ session, env, before: resume?.spent ?? NOTHING_SPENT })
  }
  return {
    said,
    report: () => ({
      session,
      usage,
      text: said.result?.text || words,
      printed: printed.text(),
      ...(denied.size > 0 && { denied: [...denied] }),
    }),
    /** The model has answered. */
    hasAnswered: () => hasAnswered,
    /** What the client wrote down and did not print. A failure there is only news if the client reported no result. */
    readSessionFile(env: Env): void {
      for (const event of readSession(env)) if (said.result === null || event.kind === 'tokens') take(event)
    },
    /** A client may wait for hours at a limit that only its session's file names. */
    onSilence(env: Env, silentMs: number): LineAnswer {
      const reads = Math.floor(silentMs / SILENT_READ_MS)
      const isDue = reads > 0 && reads !== silentReads
      silentReads = reads
      const limit = isDue ? readSession(env).find(({ kind }) => kind === 'limit') : undefined
      if (limit === undefined) return
      take(limit)
      return isLimitedForLong() || silentMs >= LONGEST_WAIT_MS ? 'end' : undefined
    },
    /** What explains a crash: the last lines on stderr, or of a plain text if there are none. */
    lastLines: () => tails.err.text() || tails.out.text(),
    onLine(stream: Stream, line: string): LineAnswer {
      if (isText(stream)) tails[stream].add(line)
      if (isText(stream) && stream === 'out') printed.addLine(line)
      takeLine(stream, line)
      return answer()
    },
    /** Only the lines that matter are read, and the last one, which is shown. */
    onFlood(stream: Stream, lines: Uint8Array): LineAnswer {
      if (isText(stream)) tails[stream].addMany(lines)
      if (isText(stream) && stream === 'out') printed.addLines(lines)
      if (mayMatter(lines)) takeSome(stream, decodeLines(lines))
      else skip(stream, lines)
      return answer()
    },
  }
}

export function resetOf(agent: Agent, limit: NonNullable<Said['limit']>, now: string): string | null {
  return limit.resetsAt ?? agent.limitReset?.(limit.message, new Date(now)) ?? null
}

function callText({ name, detail }: { name: string; detail: string }): string {
  return detail === '' ? name : `${name}: ${detail}`
}

/** The event shows that the agent's account works. */
function isAnswer(event: AgentEvent): boolean {
  return event.kind === 'text' || event.kind === 'tool' || (event.kind === 'tokens' && event.output > 0)
}

function progressOf(event: AgentEvent): Progress {
  switch (event.kind) {
    case 'session':
      return { session: event.id }
    case 'text':
      return { action: event.text }
    case 'tool':
      return { action: callText(event) }
    case 'denied':
      return { action: `denied: ${callText(event)}` }
    case 'turn':
      return { turns: event.count }
    case 'tokens':
      return { tokensIn: event.input, tokensOut: event.output }
    case 'cost':
      return { costUsd: event.usd }
    case 'limit':
    case 'error':
      return { action: event.message }
    case 'result':
      return { action: event.ok ? 'returned its result' : `failed: ${event.reason ?? event.text}` }
    default:
      return event satisfies never
  }
}
