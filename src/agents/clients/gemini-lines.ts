import type { AgentEvent, ErrorCode, LineReader } from '../agent.ts'
import { describeDenied, describeTool } from '../reading/describe-tool.ts'
import { type Failure, failureEvents } from '../reading/failure-events.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { at, numberAt, readJson, textAt } from '../reading/read-json.ts'

/** `init`, `message` in pieces, `tool_use`, `tool_result`, and `result` with the totals. */
export function geminiLines(): LineReader {
  let lastText = ''
  let isOpen = false
  let turns = 0
  let isAnswering = false
  const calls = new Map<string, { name: string; input: unknown }>()

  function readCall(line: object): AgentEvent[] {
    const call = { name: textAt(line, 'tool_name'), input: at(line, 'parameters') }
    calls.set(textAt(line, 'tool_id'), call)
    return [...readTurn(), describeTool(call.name, call.input)]
  }

  function readCallEnd(line: object): AgentEvent[] {
    isAnswering = false
    const call = calls.get(textAt(line, 'tool_id'))
    calls.delete(textAt(line, 'tool_id'))
    return call && DENIALS.has(textAt(line, 'error', 'type')) ? [describeDenied(call.name, call.input)] : []
  }

  /** An answer is text, then tools; after their results the model is called again. */
  function readTurn(): AgentEvent[] {
    if (isAnswering) return []
    isAnswering = true
    turns += 1
    return [{ kind: 'turn', count: turns }]
  }

  /** Pieces of one message follow each other; any other event ends the message. */
  function readMessage(line: object): AgentEvent[] {
    const text = textAt(line, 'content')
    if (textAt(line, 'role') !== 'assistant' || text === '') return []
    lastText = isOpen && at(line, 'delta') === true ? lastText + text : text
    isOpen = true
    return [...readTurn(), { kind: 'text', text }]
  }

  return (line) => {
    const read = readJson(line)
    if (read === null) return readRetry(line) ?? readPlainLine(line)
    const type = textAt(read, 'type')
    if (type === 'message') return readMessage(read)
    isOpen = false
    switch (type) {
      case 'init':
        return sessionOf(read)
      case 'tool_use':
        return readCall(read)
      case 'tool_result':
        return readCallEnd(read)
      case 'error':
        return textAt(read, 'severity') === 'error' ? failed({ message: textAt(read, 'message') }) : []
      case 'result':
        return readResult(read, lastText)
      default:
        return []
    }
  }
}

/** What a call that was not allowed ends with. */
const DENIALS: ReadonlySet<string> = new Set(['policy_violation', 'execution_denied', 'permission_denied'])

/** Its quotas are for a model: another model of the same account still answers. */
function failed(failure: Failure): AgentEvent[] {
  return failureEvents({ ...failure, ofModel: true })
}

/**
 * `Attempt 3 failed with status 429. Retrying with backoff... ` and the error, or `Attempt 1 failed: You have exhausted
 * your capacity on this model. Your quota will reset after 3h2m1s.. Retrying after 13028899ms...`. The client waits, for
 * hours if it has to. The pause at the end is its own. Without a time, a 429 passes or becomes the run's error.
 */
function readRetry(line: string): AgentEvent[] | null {
  const text = line.slice(0, LONGEST_RETRY)
  const [message, status] = /^Attempt \d+ failed with status (\d{3})\. Retrying/.exec(text) ?? []
  if (message !== undefined) return failed({ message, status: Number(status) })
  const [, said] = /^Attempt \d+ failed: (.+?)(?:\.\. Retrying after .*)?$/.exec(text) ?? []
  return said === undefined ? null : failed({ message: said })
}

const LONGEST_RETRY = 2000

function sessionOf(line: object): AgentEvent[] {
  const id = textAt(line, 'session_id')
  return id === '' ? [] : [{ kind: 'session', id }]
}

function readResult(line: object, text: string): AgentEvent[] {
  const ok = textAt(line, 'status') === 'success'
  const type = textAt(line, 'error', 'type')
  const message = textAt(line, 'error', 'message') || type || 'unknown error'
  const reason = ok ? null : type || 'error'
  return [
    ...tokensOf(line),
    ...(ok ? [] : failed({ message, code: OWN_CODES.get(type) ?? null })),
    { kind: 'result', ok, text, reason, turns: null },
  ]
}

const OWN_CODES = new Map<string, ErrorCode>([
  ['FatalTurnLimitedError', 'max-turns'],
  ['FatalAuthenticationError', 'auth'],
  ['TerminalQuotaError', 'limit'],
  ['RetryableQuotaError', 'overloaded'],
])

function tokensOf(line: object): AgentEvent[] {
  const input = numberAt(line, 'stats', 'input_tokens')
  const output = numberAt(line, 'stats', 'output_tokens')
  return input === null || output === null ? [] : [{ kind: 'tokens', input, output }]
}
