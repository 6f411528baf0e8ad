import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Agent, AgentEvent } from '../agent.ts'
import { AGENTS, agentNamed } from '../registry.ts'
import { template } from './_template.ts'
import { customAgent } from './custom.ts'

const ALL: [name: string, agent: Agent][] = [...AGENTS, template, customAgent({ command: 'custom' })].map((agent) => [
  agent.name,
  agent,
])

function read(client: string, ...lines: unknown[]): AgentEvent[] {
  const reader = agentNamed(client).reader()
  return lines.flatMap((line) => reader(typeof line === 'string' ? line : JSON.stringify(line)))
}

/** Words that mean something to a reader, so that odd values are in fields that are read. */
const TYPES = [
  ...['system', 'assistant', 'user', 'result', 'rate_limit_event', 'thread.started', 'item.started', 'item.completed'],
  ...['turn.completed', 'turn.failed', 'error', 'text', 'tool_use', 'step_finish', 'init', 'message', 'start', 'tool'],
  ...['assistant.message', 'tool.execution_start', 'session.error', 'assistant.turn_start', 'end', 'constructor'],
]
const KEYS = [
  ...['subtype', 'session_id', 'message', 'content', 'usage', 'input_tokens', 'output_tokens', 'errors', 'error'],
  ...['item', 'id', 'text', 'part', 'tokens', 'cost', 'reason', 'state', 'input', 'data', 'role', 'stats', 'status'],
  ...['result', 'is_error', 'total_cost_usd', 'permission_denials', 'rate_limit_info', 'resetsAt', 'num_turns'],
  ...['changes', 'sessionID', 'responseBody', 'statusCode', 'errorType', 'exitCode', '__proto__', 'toString'],
]

const word = fc.constantFrom(
  ...TYPES,
  'init',
  'success',
  'rejected',
  'tool-calls',
  'stop',
  'usage limit reached',
  '429',
)
const leaf = fc.oneof(word, fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 6 }),
  ),
}))
const line = fc.record({ type: fc.constantFrom(...TYPES), rest: fc.dictionary(fc.constantFrom(...KEYS), value) })
const anyLine = fc.oneof(
  line.map(({ type, rest }) => JSON.stringify({ ...rest, type })),
  fc.json(),
  fc.string({ unit: 'binary' }),
)

test('a cost that no client can mean is ignored', () => {
  const claude = ALL.find(([name]) => name === 'claude')?.[1]
  const line = JSON.stringify({ type: 'result', subtype: 'success', total_cost_usd: 1.7e302, num_turns: 1 })
  const events = claude?.reader({ input: 0, output: 0, usd: 0 })(line) ?? []
  expect(events.map(({ kind }) => kind)).toEqual(['result'])
})

test.each(ALL)('%s throws for no line, and returns events of the agreed shape', (_, agent) => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 8 }), (lines) => {
      const reader = agent.reader({ input: 5, output: 5, usd: 0.5 })
      for (const event of lines.flatMap(reader)) expect(problemOf(event)).toBeNull()
    }),
    { numRuns: 300 },
  )
})

const CODES = ['auth', 'limit', 'overloaded', 'max-turns', 'max-cost', 'other']

function problemOf(event: AgentEvent): string | null {
  const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0
  const shapes: Record<AgentEvent['kind'], (event: Record<string, unknown>) => boolean> = {
    session: ({ id }) => typeof id === 'string',
    text: ({ text }) => typeof text === 'string',
    tool: ({ name, detail }) => typeof name === 'string' && typeof detail === 'string' && !/[\n\r]/.test(detail),
    denied: ({ name, detail }) => typeof name === 'string' && typeof detail === 'string' && !/[\n\r]/.test(detail),
    turn: ({ count }) => isCount(count),
    tokens: ({ input, output }) => isCount(input) && isCount(output),
    cost: ({ usd }) => isCount(usd),
    limit: ({ resetsAt, message }) => typeof message === 'string' && (resetsAt === null || /Z$/.test(String(resetsAt))),
    error: ({ code, message }) => CODES.includes(String(code)) && typeof message === 'string',
    result: ({ ok, text, reason, turns }) =>
      typeof ok === 'boolean' &&
      typeof text === 'string' &&
      (reason === null || typeof reason === 'string') &&
      (turns === null || isCount(turns)),
  }
  return shapes[event.kind](event as Record<string, unknown>) ? null : JSON.stringify(event)
}

test.each(ALL)('%s continues after lines it does not know', (_, agent) => {
  const reader = agent.reader()
  const strange = ['', '\ufeff', 'npm warn deprecated', '{"type":', '[]', 'null', '{}', '{"type":"brand.new","x":1}']
  const events = strange.flatMap(reader).filter(({ kind }) => kind !== 'text')
  expect(events).toEqual([])
})

test.each(ALL)('%s accepts lines of 10 MB, nested ones too', (_, agent) => {
  const reader = agent.reader()
  const long = 'x'.repeat(10_000_000)
  const lines = [
    JSON.stringify({
      message: { content: [{ type: 'tool_use', name: 'Write', input: { content: long } }] },
      type: 'assistant',
    }),
    JSON.stringify({ type: 'tool_use', part: { tool: 'write', state: { input: { content: long } } } }),
    JSON.stringify({ item: { type: 'command_execution', command: long }, type: 'item.started' }),
    `{"type":"result","x":${'['.repeat(1_000_000)}`,
    long,
  ]
  const details = lines.flatMap(reader).flatMap((event) => (event.kind === 'tool' ? [event.detail.length] : []))
  expect(Math.max(0, ...details)).toBeLessThanOrEqual(200)
})

test('codex: what a person’s rules forbid is only in its log, and is a denied call', () => {
  const line = `2026-11-17T21:41:27.172634Z ERROR codex_core::tools::router: error=exec_command failed: CreateProcess { message: "Rejected(\\"\`/bin/bash -lc 'touch ../x'\` rejected: policy forbids commands starting with \`touch\`\\")" }`
  expect(read('codex', line)).toEqual([{ kind: 'denied', name: 'command_execution', detail: 'touch ../x' }])
})

test('claude: a limit has the reset time of the refusal, and a warning is not a limit', () => {
  const event = (status: string) => ({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 1778565600 } })
  const failed = {
    subtype: 'success',
    is_error: true,
    result: "You've hit your limit · resets 2pm (Asia/Shanghai)",
    type: 'result',
  }
  const message = failed.result
  expect(read('claude', event('rejected'), failed).slice(0, 2)).toEqual([
    { kind: 'limit', resetsAt: '2026-05-12T06:00:00.000Z', message },
    { kind: 'error', code: 'limit', message },
  ])
  expect(read('claude', event('allowed_warning'), failed)[0]).toEqual({ kind: 'limit', resetsAt: null, message })
  expect(read('claude', event('rejected'), { type: 'result', is_error: false, result: 'done' })).toEqual([
    { kind: 'result', ok: true, text: 'done', reason: null, turns: null },
  ])
  expect(agentNamed('claude').limitReset?.(message, new Date('2026-05-12T01:00:00Z'))).toBe('2026-05-12T06:00:00.000Z')
})

test('claude: a 429 without a mention of a limit is an overload', () => {
  const line = { type: 'result', is_error: true, api_error_status: 429, result: 'API Error: 429 rate_limit_error' }
  expect(read('claude', line)[0]).toMatchObject({ kind: 'error', code: 'overloaded' })
})

test('claude: text of an agent about limits is not a limit', () => {
  const text = 'Claude AI usage limit reached|1730000000'
  const message = { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text }] } }
  expect(read('claude', message, { type: 'result', is_error: false, result: text }).map(({ kind }) => kind)).toEqual([
    'turn',
    'text',
    'result',
  ])
})

test('claude: a spent budget is distinguished from other errors', () => {
  const line = { type: 'result', is_error: true, subtype: 'error_max_budget_usd', total_cost_usd: 1.02 }
  expect(read('claude', line)).toContainEqual({ kind: 'error', code: 'max-cost', message: 'error_max_budget_usd' })
})

test('claude: results between the lines of one message do not begin a turn, nor do those of a sub-agent', () => {
  const message = (id: string, parent: string | null = null) => ({
    ...{ type: 'assistant', parent_tool_use_id: parent },
    message: { id, content: [{ type: 'tool_use', name: 'Bash', input: { command: 'date' } }] },
  })
  const results = (parent: string | null = null) => ({ type: 'user', parent_tool_use_id: parent, message: {} })
  const events = read(
    'claude',
    message('a'),
    results(),
    message('a'),
    message('s', 't'),
    results('t'),
    results(),
    message('b'),
  )
  expect(events.flatMap((event) => (event.kind === 'turn' ? [event.count] : []))).toEqual([1, 2])
})

test('claude: the tools and tokens of a sub-agent count, its text does not', () => {
  const content = [
    { type: 'text', text: 'aside' },
    { type: 'tool_use', name: 'Read', input: { file_path: 'a.ts' } },
  ]
  const line = {
    type: 'assistant',
    parent_tool_use_id: 't',
    message: { id: 'm', content, usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 5 } },
  }
  expect(read('claude', line)).toEqual([
    { kind: 'tool', name: 'Read', detail: 'a.ts' },
    { kind: 'tokens', input: 8, output: 4 },
  ])
})

test('codex: a usage limit is reported once, with the time from its message', () => {
  const message = "You've hit your usage limit. Upgrade to Pro or try again in 2 days 3 hours."
  const events = read('codex', { type: 'error', message }, { type: 'turn.failed', error: { message } })
  expect(events).toEqual([
    { kind: 'limit', resetsAt: null, message },
    { kind: 'error', code: 'limit', message },
    { kind: 'result', ok: false, text: '', reason: 'turn.failed', turns: null },
  ])
  expect(agentNamed('codex').limitReset?.(message, new Date('2026-01-01T00:00:00Z'))).toBe('2026-01-03T03:00:00.000Z')
})

test('codex: files, searches and other tools are tools', () => {
  const item = (item: object) => ({ type: 'item.completed', item })
  expect(
    read(
      'codex',
      item({ id: '1', type: 'file_change', changes: [{ path: 'a.ts' }, { path: 'b.ts' }] }),
      item({ id: '2', type: 'mcp_tool_call', server: 'docs', tool: 'find', arguments: { q: 'x' } }),
      item({ id: '3', type: 'web_search', query: 'bun' }),
      item({ id: '4', type: 'reasoning', text: 'hm' }),
    ),
  ).toEqual([
    { kind: 'tool', name: 'edit', detail: 'a.ts b.ts' },
    { kind: 'tool', name: 'docs.find', detail: 'x' },
    { kind: 'tool', name: 'web_search', detail: 'bun' },
  ])
})

test('opencode: the limit is read from the answer of the provider', () => {
  const error = {
    name: 'APIError',
    data: {
      message: 'Too Many Requests',
      statusCode: 429,
      responseBody: '{"type":"usage_limit_reached","resets_at":1777936568}',
    },
  }
  expect(read('opencode', { type: 'error', error })[0]).toMatchObject({
    kind: 'limit',
    resetsAt: '2026-05-04T23:16:08.000Z',
  })
})

test('opencode: its log reports a retry, and a title that failed is ignored', () => {
  const line = (small: boolean, message: string) =>
    `timestamp=2026-11-16T01:46:35.178Z level=ERROR run=c7 message="stream error" providerID=p modelID=m session.id=s ` +
    `small=${small} agent=build mode=primary error.error="AI_APICallError: ${message}"`
  expect(read('opencode', line(false, 'boom \\"x\\"'))).toEqual([
    { kind: 'error', message: 'boom "x"', code: 'overloaded' },
  ])
  expect(read('opencode', line(false, 'You have reached your weekly usage limit'))[0]).toMatchObject({ kind: 'limit' })
  expect(read('opencode', line(true, 'Rate limit reached'))).toEqual([])
  const gaveUp = { name: 'APIError', data: { message: 'boom', statusCode: 500, isRetryable: true } }
  expect(read('opencode', { type: 'error', error: gaveUp })[0]).toMatchObject({ kind: 'error', code: 'overloaded' })
})

test('opencode: a step that ran out of context is not a success', () => {
  const events = read('opencode', {
    type: 'step_finish',
    part: { reason: 'length', tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } } },
  })
  expect(events).toEqual([
    { kind: 'tokens', input: 10, output: 5 },
    { kind: 'cost', usd: 0 },
    { kind: 'result', ok: false, text: '', reason: 'length', turns: 1 },
  ])
})

test('gemini: pieces of a message are one text at the end', () => {
  const piece = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
  const events = read('gemini', piece('old'), { type: 'tool_use', tool_name: 'ls' }, piece('All '), piece('done.'), {
    type: 'result',
    status: 'success',
  })
  expect(events.at(-1)).toEqual({ kind: 'result', ok: true, text: 'All done.', reason: null, turns: null })
})

test('gemini: an exhausted quota is a limit, warnings are ignored', () => {
  const message = '[API Error: You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.]'
  expect(read('gemini', { type: 'error', severity: 'warning', message: 'Loop detected' })).toEqual([])
  expect(
    read('gemini', { type: 'result', status: 'error', error: { type: 'unknown', message } }).map(({ kind }) => kind),
  ).toEqual(['limit', 'error', 'result'])
})

test('copilot: a rate limit of hours is a limit', () => {
  const message = "Sorry, you've hit a rate limit that restricts the number of requests. Please try again in 2 hours."
  const events = read(
    'copilot',
    { type: 'session.error', data: { errorType: 'rate_limit', message, statusCode: 429 } },
    { type: 'result', sessionId: 's', exitCode: 1 },
  )
  expect(events).toEqual([
    { kind: 'limit', resetsAt: null, message },
    { kind: 'error', code: 'limit', message },
    { kind: 'session', id: 's' },
    { kind: 'result', ok: false, text: '', reason: 'rate_limit', turns: 0 },
  ])
})

test('plain text about why a client cannot start is read', () => {
  expect(read('claude', 'Invalid API key · Please run /login')).toMatchObject([{ kind: 'error', code: 'auth' }])
  expect(read('gemini', 'Please set an Auth method in your settings')).toMatchObject([{ kind: 'error', code: 'auth' }])
  expect(read('codex', 'Error: Not logged in')).toMatchObject([{ kind: 'error', code: 'auth' }])
  expect(read('copilot', '✗ Execution failed: 402 You have no quota').map(({ kind }) => kind)).toEqual([
    'limit',
    'error',
  ])
})

test('claude: a login that is refused again ends the phase, an overloaded service does not', () => {
  const retry = (attempt: number, error_status: number, error: string) =>
    read('claude', { type: 'system', subtype: 'api_retry', attempt, max_retries: 10, error_status, error })
  expect(retry(1, 401, 'authentication_failed').map(({ kind }) => kind)).toEqual(['error'])
  expect(retry(2, 401, 'authentication_failed')).toEqual([
    { kind: 'error', code: 'auth', message: 'API error 401 authentication_failed, try 2 of 10' },
    { kind: 'result', ok: false, text: '', reason: 'authentication_failed', turns: null },
  ])
  expect(retry(9, 429, 'rate_limit')).toEqual([
    { kind: 'error', code: 'overloaded', message: 'API error 429 rate_limit, try 9 of 10' },
  ])
})

test('gemini: an attempt that it will repeat is an error and not yet a limit', () => {
  const line = 'Attempt 2 failed with status 429. Retrying with backoff... ApiError: {"status":"RESOURCE_EXHAUSTED"}'
  const message = 'Attempt 2 failed with status 429. Retrying'
  expect(read('gemini', line)).toEqual([{ kind: 'error', code: 'overloaded', message }])
})

test('gemini: text and tools up to the next results are one turn', () => {
  const words = { type: 'message', role: 'assistant', content: 'Now', delta: true }
  const tool = { type: 'tool_use', tool_name: 'ls' }
  const results = { type: 'tool_result', status: 'success' }
  const events = read('gemini', words, tool, tool, results, results, tool, results, words, words)
  expect(events.flatMap((event) => (event.kind === 'turn' ? [event.count] : []))).toEqual([1, 2, 3])
})
