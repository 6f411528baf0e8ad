import type { AgentEvent, LineReader } from '../agent.ts'
import { classifyFailure } from '../reading/classify-failure.ts'
import { describeDenied, describeTool } from '../reading/describe-tool.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { at, numberAt, readJson, textAt } from '../reading/read-json.ts'
import { roundUsd } from '../reading/round-usd.ts'

/** Steps with their text and tools. No line marks the end of the run: the step that calls no more tools is the last. */
export function opencodeLines(): LineReader {
  const spent = { input: 0, output: 0, usd: 0, steps: 0 }
  let begun = 0
  let session = ''
  let lastText = ''

  function readSession(line: object): AgentEvent[] {
    const id = textAt(line, 'sessionID')
    if (id === '' || id === session) return []
    session = id
    return [{ kind: 'session', id }]
  }

  function readText(line: object): AgentEvent[] {
    const text = textAt(line, 'part', 'text')
    lastText = text || lastText
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  function readStep(part: unknown): AgentEvent[] {
    const { input, output } = tokensOf(at(part, 'tokens'))
    spent.input += input
    spent.output += output
    spent.usd += numberAt(part, 'cost') ?? 0
    spent.steps += 1
    const totals: AgentEvent[] = [
      { kind: 'tokens', input: spent.input, output: spent.output },
      { kind: 'cost', usd: roundUsd(spent.usd) },
    ]
    const reason = textAt(part, 'reason')
    return CONTINUES.has(reason) ? totals : [...totals, resultOf(reason === 'stop' ? null : reason)]
  }

  function resultOf(reason: string | null): AgentEvent {
    return { kind: 'result', ok: reason === null, text: lastText, reason, turns: spent.steps }
  }

  function readLine(line: object): AgentEvent[] {
    switch (textAt(line, 'type')) {
      case 'step_start':
        begun += 1
        return [{ kind: 'turn', count: begun }]
      case 'text':
        return readText(line)
      case 'tool_use':
        return readCall(at(line, 'part'))
      case 'step_finish':
        return readStep(at(line, 'part'))
      case 'error':
        return [...readError(at(line, 'error')), resultOf(textAt(line, 'error', 'name') || 'error')]
      default:
        return []
    }
  }

  return (line) => {
    const read = readJson(line)
    if (read === null) return readRetry(line) ?? readPlainLine(line)
    return [...readSession(read), ...readLine(read)]
  }
}

function readCall(part: unknown): AgentEvent[] {
  const call = [textAt(part, 'tool'), at(part, 'state', 'input')] as const
  return DENIAL.test(textAt(part, 'state', 'error')) ? [describeDenied(...call)] : [describeTool(...call)]
}

/** In its own words: by a rule of the configuration, or because nobody is there to ask. */
const DENIAL = /^(?:The user has specified a rule which prevents you|The user rejected permission)/

/**
 * `level=ERROR … message="stream error" … small=false … error.error="AI_APICallError: Rate limit reached"`: a request
 * was refused. An error that cannot be retried ends the run with its own event; after all others the client waits
 * silently.
 */
function readRetry(line: string): AgentEvent[] | null {
  if (!LOGGED_REFUSAL.test(line.slice(0, LONGEST_HEAD))) return null
  const refusal = /\berror\.error="((?:[^"\\]|\\.){1,2000})/.exec(line)?.[1] ?? 'stream error'
  const message = refusal.replace(/^AI_\w+: /, '').replaceAll('\\"', '"')
  const code = classifyFailure(message)
  return failureEvents({ message, code: code === 'limit' ? code : 'overloaded' })
}

/** Requests for titles have `small=true`; the run does not need them. */
const LOGGED_REFUSAL = /^timestamp=\S+ level=ERROR .*message="stream error" .*small=false\b/
const LONGEST_HEAD = 600

/** After these the client calls the model again. */
const CONTINUES = new Set(['tool-calls', 'unknown', ''])

function tokensOf(tokens: unknown): { input: number; output: number } {
  const sum = (...counts: (number | null)[]) => counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  const cached = [numberAt(tokens, 'cache', 'read'), numberAt(tokens, 'cache', 'write')]
  return {
    input: sum(numberAt(tokens, 'input'), ...cached),
    output: sum(numberAt(tokens, 'output'), numberAt(tokens, 'reasoning')),
  }
}

/** The provider's answer contains more than the message that was made from it. */
function readError(error: unknown): AgentEvent[] {
  const message = textAt(error, 'data', 'message') || textAt(error, 'name') || 'unknown error'
  const body = textAt(error, 'data', 'responseBody')
  const fullMessage = body === '' || body.includes(message) ? message : `${message} ${body}`
  const status = numberAt(error, 'data', 'statusCode')
  const code = classifyFailure(fullMessage, status)
  // This includes any 5xx: the client has retried it for more than a minute by now.
  const isTemporary = code === 'other' && at(error, 'data', 'isRetryable') === true
  return failureEvents({ message: fullMessage, code: isTemporary ? 'overloaded' : code })
}
