import type { AgentEvent, LineReader, Spent } from '../agent.ts'
import { describeDenied, describeTool } from '../reading/describe-tool.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { at, listAt, numberAt, readJson, textAt } from '../reading/read-json.ts'

/** `thread.started`, items as they start and complete, then `turn.completed`, or `error` and `turn.failed`. */
export function codexLines(before: Spent): LineReader {
  const begun = new Set<string>()
  let lastText = ''
  let lastError = ''

  function readItem(line: object): AgentEvent[] {
    const item = at(line, 'item')
    const text = textAt(item, 'text')
    if (textAt(item, 'type') === 'agent_message') {
      lastText = text || lastText
      return text === '' ? [] : [{ kind: 'text', text }]
    }
    const id = textAt(item, 'id')
    if (textAt(item, 'status') === 'declined')
      return [describeDenied(textAt(item, 'type'), withoutShell(textAt(item, 'command')))]
    if (begun.has(id)) return []
    begun.add(id)
    return readTool(item)
  }

  function readError(message: string): AgentEvent[] {
    // The client retries by itself after these, and reports the last one twice.
    if (message.startsWith('Reconnecting...') || message === lastError) return []
    lastError = message
    return failureEvents({ message })
  }

  return (line) => {
    const read = readJson(line)
    if (read === null) return readForbidden(line) ?? readPlainLine(line)
    switch (textAt(read, 'type')) {
      case 'thread.started':
        return sessionOf(read)
      case 'item.started':
      case 'item.completed':
        return readItem(read)
      case 'error':
        return readError(textAt(read, 'message') || 'unknown error')
      case 'turn.completed':
        return [...tokensOf(read, before), { kind: 'result', ok: true, text: lastText, reason: null, turns: null }]
      case 'turn.failed': {
        const errors = readError(textAt(read, 'error', 'message') || 'unknown error')
        return [...errors, { kind: 'result', ok: false, text: lastText, reason: 'turn.failed', turns: null }]
      }
      default:
        return []
    }
  }
}

/** What a person's rules forbid is only in its log, on stderr: ``Rejected("`bash -lc 'rm x'` rejected: policy …``. */
function readForbidden(line: string): AgentEvent[] | null {
  const command = /\bRejected\(\\?"`(.{1,4000}?)` rejected: /.exec(line)?.[1]
  return command === undefined ? null : [describeDenied('command_execution', withoutShell(command))]
}

function sessionOf(line: object): AgentEvent[] {
  const id = textAt(line, 'thread_id')
  return id === '' ? [] : [{ kind: 'session', id }]
}

/** Items of type `error` are warnings: successful runs have them too. */
function readTool(item: unknown): AgentEvent[] {
  switch (textAt(item, 'type')) {
    case 'command_execution':
      return [describeTool('shell', withoutShell(textAt(item, 'command')))]
    case 'file_change':
      return [
        describeTool(
          'edit',
          listAt(item, 'changes')
            .map((change) => textAt(change, 'path'))
            .join(' '),
        ),
      ]
    case 'mcp_tool_call':
      return [describeTool(`${textAt(item, 'server')}.${textAt(item, 'tool')}`, at(item, 'arguments'))]
    case 'web_search':
      return [describeTool('web_search', textAt(item, 'query'))]
    case 'collab_tool_call':
      return [describeTool(textAt(item, 'tool') || 'collab', textAt(item, 'prompt'))]
    default:
      return []
  }
}

/** Every command is wrapped as `/bin/bash -lc '…'`. */
function withoutShell(command: string): string {
  return /^\S*sh -l?c '([^']*)'$/.exec(command)?.[1] ?? command
}

/** A resumed session continues its earlier count. */
function tokensOf(line: object, before: Spent): AgentEvent[] {
  const input = numberAt(line, 'usage', 'input_tokens')
  const output = numberAt(line, 'usage', 'output_tokens')
  if (input === null || output === null) return []
  return [{ kind: 'tokens', input: Math.max(0, input - before.input), output: Math.max(0, output - before.output) }]
}
