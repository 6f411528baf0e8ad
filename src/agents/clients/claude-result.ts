import type { AgentEvent, ErrorCode, Spent } from '../agent.ts'
import { classifyFailure } from '../reading/classify-failure.ts'
import { describeDenied } from '../reading/describe-tool.ts'
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
  /** The tokens of the messages so far. */
  counted: Tokens
  /** When the limit ends that caused the refusal. */
  resetsAt: string | null
}

export function readResult(line: object, { counting, lastText, counted, resetsAt }: Known): AgentEvent[] {
  // Errors of the model's server have the subtype `success`: only `is_error` is reliable.
  const ok = at(line, 'is_error') !== true && !textAt(line, 'subtype').startsWith('error')
  const result: AgentEvent = {
    kind: 'result',
    ok,
    text: textAt(line, 'result') || lastText,
    reason: ok ? deniedTools(line) : reasonOf(line),
    turns: numberAt(line, 'num_turns'),
  }
  const denied = denials(line).map((denial) => describeDenied(textAt(denial, 'tool_name'), at(denial, 'tool_input')))
  return [...totals(line, counting, counted), ...denied, ...(ok ? [] : readFailure(line, resetsAt)), result]
}

export function tokensIn(usage: unknown, { inputHasCached }: Counting): Tokens | null {
  const input = numberAt(usage, 'input_tokens')
  const output = numberAt(usage, 'output_tokens')
  if (input === null || output === null) return null
  const made = numberAt(usage, 'cache_creation_input_tokens') ?? 0
  const read = numberAt(usage, 'cache_read_input_tokens') ?? 0
  return { input: inputHasCached ? input : input + made + read, output }
}

/**
 * The cost is always that of the session. When claude stops at its own cost limit, its result contains no tokens, so the
 * larger count is right.
 */
function totals(line: object, counting: Counting, counted: Tokens): AgentEvent[] {
  const { before, usageOf } = counting
  const usage = tokensIn(at(line, 'usage'), counting)
  const usd = numberAt(line, 'total_cost_usd')
  const earlier = usageOf === 'session' ? before : NO_TOKENS
  const least = usageOf === 'session' ? NO_TOKENS : counted
  const events: AgentEvent[] = []
  if (usage) {
    const input = Math.max(least.input, usage.input - earlier.input)
    events.push({ kind: 'tokens', input, output: Math.max(least.output, usage.output - earlier.output) })
  }
  if (usd !== null) events.push({ kind: 'cost', usd: roundUsd(Math.max(0, usd - before.usd)) })
  return events
}

const NO_TOKENS: Tokens = { input: 0, output: 0 }

function readFailure(line: object, resetsAt: string | null): AgentEvent[] {
  const message = messageOf(line)
  return failureEvents({ message, code: codeOf(line, message, resetsAt), resetsAt, ofModel: OF_MODEL.test(message) })
}

function codeOf(line: object, message: string, resetsAt: string | null): ErrorCode {
  const own = OWN_CODES.get(textAt(line, 'subtype'))
  if (own !== undefined) return own
  const code = classifyFailure(message, numberAt(line, 'api_error_status'))
  return code === 'overloaded' && resetsAt !== null ? 'limit' : code
}

/** `You've hit your Opus limit`: other models of the account still answer. */
const OF_MODEL = /\b(?:opus|sonnet|haiku|fable) (?:weekly )?limit/i

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
  const names = denials(line).map((denial) => textAt(denial, 'tool_name'))
  return names.length === 0 ? null : `denied: ${[...new Set(names)].join(', ')}`
}

function denials(line: object): unknown[] {
  return listAt(line, 'permission_denials')
}
