import { join } from 'node:path'
import { listFolders } from '../../platform/files/files.ts'
import { inspectFile } from '../../platform/files/inspect-file.ts'
import type { AgentEvent, EndedClient, LineReader, Spent } from '../agent.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { at, listAt, numberAt, readJson, textAt } from '../reading/read-json.ts'
import { lastLines } from '../reading/session-file.ts'
import { claudeLines } from './claude-lines.ts'

/** Claude's stream, and the lines on stderr in which qwen reports that it is retrying. */
export function qwenLines(before: Spent): LineReader {
  const read = claudeLines({ usageOf: 'session', inputHasCached: true, before })
  return (line) => readRetry(line) ?? readRefusal(line) ?? read(line)
}

/**
 * `Retrying in 60s (attempt 1/10): [API Error: 429 You exceeded your current quota…]`. By then it has tried for more than
 * a minute without a word, so it does not wait for a limit any longer. The pause before the colon is its own.
 */
function readRetry(line: string): AgentEvent[] | null {
  const [, message] = /^Retrying in \d+s \(attempt \d+\/\d+\): (.+)/s.exec(line) ?? []
  if (message === undefined) return null
  const failure = failureEvents({ message })
  const isLimit = failure.some(({ kind }) => kind === 'limit')
  return isLimit ? [...failure, { kind: 'result', ok: false, text: '', reason: 'quota', turns: null }] : failure
}

/**
 * A refused request appears as a message of the model that cost nothing: `[API Error: 401 …]`. It is not an answer: the
 * account does not work.
 */
function readRefusal(line: string): AgentEvent[] | null {
  if (!line.includes(REFUSAL)) return null
  const message = at(readJson(line), 'message')
  const [text = ''] = listAt(message, 'content').map((block) => textAt(block, 'text'))
  const isFree = numberAt(message, 'usage', 'output_tokens') === 0
  return isFree && text.startsWith(REFUSAL) ? failureEvents({ message: text }) : null
}

const REFUSAL = '[API Error: '

/**
 * The last refusal, if no answer followed it. With a `retry-after` the client waits for hours and prints nothing, so
 * only this file shows why it was silent.
 */
export function readQwenSession({ session, env }: EndedClient): AgentEvent[] {
  const path = sessionPath(env.QWEN_RUNTIME_DIR ?? env.QWEN_HOME ?? join(env.HOME ?? '', '.qwen'), session)
  const events = path === null ? [] : lastLines(path).flatMap((line) => apiEvent(line) ?? [])
  const last = events.at(-1)
  return last === undefined || last.message === '' ? [] : failureEvents({ message: last.message })
}

/** An answer of the model has no message. */
function apiEvent(line: string): { message: string } | null {
  const read = readJson(line)
  const name = textAt(read, 'systemPayload', 'uiEvent', 'event.name')
  if (name === 'qwen-code.api_response') return { message: '' }
  if (name !== 'qwen-code.api_error') return null
  return { message: textAt(read, 'systemPayload', 'uiEvent', 'error_message') }
}

/** The folder of a project is named after its path, in a way that may change. */
function sessionPath(home: string, session: string): string | null {
  const paths = listFolders(join(home, 'projects')).map((project) => join(project, 'chats', `${session}.jsonl`))
  return paths.find((path) => inspectFile(path)?.kind === 'file') ?? null
}
