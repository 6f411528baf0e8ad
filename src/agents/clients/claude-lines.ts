import type { AgentEvent, LineReader } from '../agent.ts'
import { describeTool } from '../reading/describe-tool.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { at, listAt, numberAt, readJson, textAt } from '../reading/read-json.ts'
import { type Counting, readResult, type Tokens, tokensIn } from './claude-result.ts'

/**
 * Claude Code's stream, which qwen also uses: `system`, `assistant` with one block on each line, `user`, and `result`
 * at the end.
 */
export function claudeLines(counting: Counting): LineReader {
  const count = tokenCount()
  let session = ''
  let lastText = ''
  let resetsAt: string | null = null
  const messages = new Set<string>()
  let turns = 0
  let isAnswering = false

  function readSession(line: object): AgentEvent[] {
    const id = textAt(line, 'session_id')
    if (id === '' || id === session) return []
    session = id
    return [{ kind: 'session', id }]
  }

  function readSystem(line: object): AgentEvent[] {
    const subtype = textAt(line, 'subtype')
    if (subtype === 'init') return readSession(line)
    return subtype === 'api_retry' ? readRetry(line) : []
  }

  /**
   * The model is called again after the results of its tools. Claude sends one message in several lines with results
   * between them; qwen sends one answer as several messages. Messages of a sub-agent are not the agent's; messages that
   * the client generates belong to nobody.
   */
  function readTurn(line: object): AgentEvent[] {
    const id = textAt(line, 'message', 'id')
    const isOwn = at(line, 'parent_tool_use_id') == null && textAt(line, 'message', 'model') !== '<synthetic>'
    if (!isOwn || isAnswering || messages.has(id)) return []
    messages.add(id)
    isAnswering = true
    turns += 1
    return [{ kind: 'turn', count: turns }]
  }

  function readMessage(line: object): AgentEvent[] {
    const message = at(line, 'message')
    // The text of a sub-agent is not the agent's; its tools and tokens count.
    const speaks = at(line, 'parent_tool_use_id') == null && at(line, 'is_api_error_message') !== true
    const events = listAt(message, 'content').flatMap((block) => readBlock(block, speaks))
    lastText = events.findLast((event) => event.kind === 'text')?.text ?? lastText
    const id = textAt(message, 'id')
    return [...readTurn(line), ...events, ...count.add(id, tokensIn(at(message, 'usage'), counting))]
  }

  return (line) => {
    const read = readJson(line)
    if (read === null) return readPlainLine(line)
    switch (textAt(read, 'type')) {
      case 'system':
        return readSystem(read)
      case 'assistant':
        return readMessage(read)
      case 'user':
        if (at(read, 'parent_tool_use_id') == null) isAnswering = false
        return []
      case 'rate_limit_event':
        resetsAt = resetOf(read) ?? resetsAt
        return []
      case 'result':
        return [...readSession(read), ...readResult(read, { counting, lastText, counted: count.total, resetsAt })]
      default:
        return []
    }
  }
}

/**
 * A login may be renewed between two attempts. A login that is refused again stays refused, and the client would retry
 * for minutes.
 */
const LOGIN_TRIES = 2

function readRetry(line: object): AgentEvent[] {
  const attempt = numberAt(line, 'attempt') ?? 0
  const status = numberAt(line, 'error_status')
  const message = `API error ${status ?? ''} ${textAt(line, 'error')}, try ${attempt} of ${numberAt(line, 'max_retries')}`
  const failure = failureEvents({ message, status })
  const isRefused = failure.some((event) => event.kind === 'error' && event.code === 'auth') && attempt >= LOGIN_TRIES
  const reason = textAt(line, 'error') || 'error'
  return isRefused ? [...failure, { kind: 'result', ok: false, text: '', reason, turns: null }] : failure
}

function readBlock(block: unknown, speaks: boolean): AgentEvent[] {
  const type = textAt(block, 'type')
  const text = textAt(block, 'text')
  if (type === 'tool_use') return [describeTool(textAt(block, 'name'), at(block, 'input'))]
  return type === 'text' && speaks && text !== '' ? [{ kind: 'text', text }] : []
}

/** The total so far, each time it changes. Every block of a message repeats that message's usage. */
function tokenCount(): { total: Tokens; add: (message: string, tokens: Tokens | null) => AgentEvent[] } {
  const messages = new Map<string, Tokens>()
  const total = { input: 0, output: 0 }
  const add = (message: string, tokens: Tokens | null): AgentEvent[] => {
    const known = messages.get(message) ?? { input: 0, output: 0 }
    if (tokens === null || (tokens.input <= known.input && tokens.output <= known.output)) return []
    const now = { input: Math.max(tokens.input, known.input), output: Math.max(tokens.output, known.output) }
    messages.set(message, now)
    total.input += now.input - known.input
    total.output += now.output - known.output
    return [{ kind: 'tokens', ...total }]
  }
  return { total, add }
}

/** Only a refusal counts: successful runs have the same event, with another status. */
function resetOf(line: object): string | null {
  const seconds = numberAt(line, 'rate_limit_info', 'resetsAt')
  if (textAt(line, 'rate_limit_info', 'status') !== 'rejected' || seconds === null || seconds > 8.64e12) return null
  return new Date(seconds * 1000).toISOString()
}
