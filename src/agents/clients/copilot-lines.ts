import { join } from 'node:path'
import type { AgentEvent, EndedClient, ErrorCode, LineReader } from '../agent.ts'
import { describeDenied, describeTool } from '../reading/describe-tool.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { at, numberAt, readJson, textAt } from '../reading/read-json.ts'
import { lastLines } from '../reading/session-file.ts'

/** Dotted events, then `result` with the session and the exit code. Tokens are only in the file of the session. */
export function copilotLines(): LineReader {
  let lastText = ''
  let turns = 0
  let lastError: string | null = null
  const calls = new Map<string, { name: string; input: unknown }>()

  function readCall(data: unknown): AgentEvent[] {
    const call = { name: textAt(data, 'toolName'), input: at(data, 'arguments') }
    calls.set(textAt(data, 'toolCallId'), call)
    return [describeTool(call.name, call.input)]
  }

  /** A refused call starts like any other. */
  function readCallEnd(data: unknown): AgentEvent[] {
    const call = calls.get(textAt(data, 'toolCallId'))
    calls.delete(textAt(data, 'toolCallId'))
    const isDenied = at(data, 'success') === false && textAt(data, 'error', 'code') === 'denied'
    return isDenied && call ? [describeDenied(call.name, call.input)] : []
  }

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
        return readCall(data)
      case 'tool.execution_complete':
        return readCallEnd(data)
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

/** The tokens of the whole session, which a resumed session continues to count. */
export function readCopilotSession({ session, env, before }: EndedClient): AgentEvent[] {
  const home = env.COPILOT_HOME || join(env.HOME ?? '', '.copilot')
  const path = join(home, 'session-state', session, 'events.jsonl')
  const last = lastLines(path)
    .map(readJson)
    .findLast((event) => textAt(event, 'type') === 'session.shutdown')
  const models = at(last, 'data', 'modelMetrics')
  if (typeof models !== 'object' || models === null) return []
  const sum = (name: string) =>
    Object.values(models).reduce<number>((total, model) => total + (numberAt(model, 'usage', name) ?? 0), 0)
  const input = Math.max(0, sum('inputTokens') - before.input)
  return [{ kind: 'tokens', input, output: Math.max(0, sum('outputTokens') - before.output) }]
}
