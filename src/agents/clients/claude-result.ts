import type { AgentEvent, ErrorCode, Spent } from '../agent.ts'
import { classifyFailure } from '../reading/classify-failure.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { at, listAt, numberAt, textAt } from '../reading/read-json.ts'
import { roundUsd } from '../reading/round-usd.ts'

export type Tokens = { input: number; output: number }

/** How a client of this family counts. */
export interface Counting {
  /** Whether `usage` of the result belongs to the phase or to the whole session. */
  usageOf: 'phase' | 'session'
  /** Whether `input_tokens` already includes those from a cache. */
  inputHasCached: boolean
  /** What the session had spent before this phase. */
  before: Spent
}

interface Known {
  counting: Counting
  lastText: string
  /** When the limit ends that caused the refusal. */
  resetsAt: string | null
}

export function readResult(line: object, { counting, lastText, resetsAt }: Known): AgentEvent[] {
  // Errors of the model's server have the subtype `success`: only `is_error` is reliable.
  const ok = at(line, 'is_error') !== true && !textAt(line, 'subtype').startsWith('error')
  const result: AgentEvent = {
    kind: 'result',
    ok,
    text: textAt(line, 'result') || lastText,
    reason: ok ? deniedTools(line) : reasonOf(line),
    turns: numberAt(line, 'num_turns'),
  }
  return [...totals(line, counting), ...(ok ? [] : readFailure(line, resetsAt)), result]
}

export function tokensIn(usage: unknown, { inputHasCached }: Counting): Tokens | null {
  const input = numberAt(usage, 'input_tokens')
  const output = numberAt(usage, 'output_tokens')
  if (input === null || output === null) return null
  const made = numberAt(usage, 'cache_creation_input_tokens') ?? 0
  const read = numberAt(usage, 'cache_read_input_tokens') ?? 0
  return { input: inputHasCached ? input : input + made + read, output }
}

/** The cost is always that of the session. */
function totals(line: object, counting: Counting): AgentEvent[] {
  const { before, usageOf } = counting
  const usage = tokensIn(at(line, 'usage'), counting)
  const usd = numberAt(line, 'total_cost_usd')
  const earlier = usageOf === 'session' ? before : { input: 0, output: 0 }
  const events: AgentEvent[] = []
  if (usage) {
    const input = Math.max(0, usage.input - earlier.input)
    events.push({ kind: 'tokens', input, output: Math.max(0, usage.output - earlier.output) })
  }
  if (usd !== null) events.push({ kind: 'cost', usd: roundUsd(Math.max(0, usd - before.usd)) })
  return events
}

function readFailure(line: object, resetsAt: string | null): AgentEvent[] {
  const message = messageOf(line)
  return failureEvents({ message, code: codeOf(line, message, resetsAt), resetsAt })
}

function codeOf(line: object, message: string, resetsAt: string | null): ErrorCode {
  const own = OWN_CODES.get(textAt(line, 'subtype'))
  if (own !== undefined) return own
  const code = classifyFailure(message, numberAt(line, 'api_error_status'))
  return code === 'overloaded' && resetsAt !== null ? 'limit' : code
}

const OWN_CODES = new Map<string, ErrorCode>([
  ['error_max_turns', 'max-turns'],
  ['error_max_budget_usd', 'max-cost'],
])

function messageOf(line: object): string {
  const [first] = listAt(line, 'errors')
  const texts = [first, at(line, 'error', 'message'), at(line, 'result'), at(line, 'subtype')]
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? 'unknown error'
}

function reasonOf(line: object): string {
  const subtype = textAt(line, 'subtype')
  if (subtype !== '' && subtype !== 'success') return subtype
  return textAt(line, 'terminal_reason') || 'error'
}

/** A run with denied tools still reports success. */
function deniedTools(line: object): string | null {
  const names = listAt(line, 'permission_denials').map((denial) => textAt(denial, 'tool_name'))
  return names.length === 0 ? null : `denied: ${[...new Set(names)].join(', ')}`
}
