import type { AgentEvent, ErrorCode, LineReader } from '../agent.ts'
import { describeTool } from '../reading/describe-tool.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { at, numberAt, readJson, textAt } from '../reading/read-json.ts'

/** `init`, `message` in pieces, `tool_use`, `tool_result`, and `result` with the totals. */
export function geminiLines(): LineReader {
  let lastText = ''
  let isOpen = false
  let turns = 0
  let isAnswering = false

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
        return [...readTurn(), describeTool(textAt(read, 'tool_name'), at(read, 'parameters'))]
      case 'tool_result':
        isAnswering = false
        return []
      case 'error':
        return textAt(read, 'severity') === 'error' ? failureEvents({ message: textAt(read, 'message') }) : []
      case 'result':
        return readResult(read, lastText)
      default:
        return []
    }
  }
}

/** `Attempt 3 failed with status 429. Retrying with backoff...` and then the error, which does not end the run yet. */
function readRetry(line: string): AgentEvent[] | null {
  const [message, status] = /^Attempt \d+ failed with status (\d{3})\. Retrying/.exec(line.slice(0, 80)) ?? []
  return message === undefined ? null : failureEvents({ message, status: Number(status) })
}

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
    ...(ok ? [] : failureEvents({ message, code: OWN_CODES.get(type) ?? null })),
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
