import type { AgentEvent, ErrorCode, LineReader } from '../agent.ts'
import { describeTool } from '../reading/describe-tool.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { at, numberAt, readJson, textAt } from '../reading/read-json.ts'

/** Dotted events, then `result` with the session and the exit code. It reports neither tokens nor cost. */
export function copilotLines(): LineReader {
  let lastText = ''
  let turns = 0
  let lastError: string | null = null

  function readMessage(data: unknown): AgentEvent[] {
    const text = textAt(data, 'content')
    // The text of a sub-agent is not the agent's.
    if (text === '' || textAt(data, 'parentToolCallId') !== '') return []
    lastText = text
    return [{ kind: 'text', text }]
  }

  function readError(data: unknown): AgentEvent[] {
    lastError = textAt(data, 'errorType') || 'error'
    const message = textAt(data, 'message') || lastError
    return failureEvents({ message, status: numberAt(data, 'statusCode'), code: OWN_CODES.get(lastError) ?? null })
  }

  function readResult(line: object): AgentEvent[] {
    const id = textAt(line, 'sessionId')
    const ok = at(line, 'exitCode') === 0
    const result: AgentEvent = { kind: 'result', ok, text: lastText, reason: ok ? null : (lastError ?? 'error'), turns }
    return [...(id === '' ? [] : [{ kind: 'session', id } as const]), result]
  }

  return (line) => {
    const read = readJson(line)
    if (read === null) return readPlainLine(line)
    const data = at(read, 'data')
    switch (textAt(read, 'type')) {
      case 'assistant.turn_start':
        turns += 1
        return [{ kind: 'turn', count: turns }]
      case 'assistant.message':
        return readMessage(data)
      case 'tool.execution_start':
        return [describeTool(textAt(data, 'toolName'), at(data, 'arguments'))]
      case 'session.error':
        return readError(data)
      case 'result':
        return readResult(read)
      default:
        return []
    }
  }
}

const OWN_CODES = new Map<string, ErrorCode>([
  ['authentication', 'auth'],
  ['quota', 'limit'],
])
