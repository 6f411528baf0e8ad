import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent, Spent } from '../agent.ts'
import { decodeLines, splitLines } from '../reading/split-lines.ts'
import { agentNamed } from '../registry.ts'

const FOLDER = join(import.meta.dir, '../../../test/fixtures/transcripts')

/** The events of a recorded stream. The bytes are fed like from a pipe, in pieces that cut lines and characters. */
function eventsOf(recording: string, before?: Spent): AgentEvent[] {
  const read = agentNamed(recording.split('.')[0] ?? '').reader(before)
  const events: AgentEvent[] = []
  const lines = splitLines((whole) => events.push(...decodeLines(whole).flatMap(read)))
  const bytes = readFileSync(join(FOLDER, `${recording}.jsonl`))
  for (let start = 0; start < bytes.length; start += 1021) lines.push(bytes.subarray(start, start + 1021))
  lines.end()
  return events
}

function summary(event: AgentEvent): string {
  switch (event.kind) {
    case 'session':
      return `session ${event.id}`
    case 'text':
      return `text ${event.text}`
    case 'tool':
      return `${event.name}: ${event.detail}`
    case 'denied':
      return `denied ${event.name}: ${event.detail}`
    case 'turn':
      return `turn ${event.count}`
    case 'tokens':
      return `tokens ${event.input} + ${event.output}`
    case 'cost':
      return `cost ${event.usd}`
    case 'limit':
      return `limit until ${event.resetsAt}`
    case 'error':
      return `error ${event.code}: ${event.message}`
    case 'result':
      return `${event.ok ? 'ok' : 'failed'} (${event.reason}, ${event.turns} turns): ${event.text}`
  }
}

const COMMAND = 'echo hi > out.txt && git add -A && git commit -q -m done && git rev-parse HEAD'
const DONE = 'All done.\nVERDICT: PASS'

const EXPECTED: Record<string, string[]> = {
  claude: [
    'session 12db16f3-e6a2-4fb8-909a-33a87f63b2fb',
    'turn 1',
    'text Running it.',
    'tokens 1000 + 1',
    `Bash: ${COMMAND}`,
    'turn 2',
    `text ${DONE}`,
    'tokens 2000 + 2',
    'tokens 2000 + 100',
    'cost 0.01',
    `ok (null, 2 turns): ${DONE}`,
  ],
  'claude.denied': [
    'session ae176f37-11c3-47bb-9219-0c81e8a09f80',
    'turn 1',
    'text Running it.',
    'tokens 1000 + 1',
    `Bash: ${COMMAND}`,
    'turn 2',
    `text ${DONE}`,
    'tokens 2000 + 2',
    'tokens 2000 + 100',
    'cost 0.01',
    'denied Bash: echo hi > out.txt && git add -A && git commit -q -m done && git rev-parse HEAD',
    `ok (denied: Bash, 2 turns): ${DONE}`,
  ],
  'claude.err401': [
    'session 7d28b2e1-fab0-41d6-a556-810cd6793ca4',
    'error auth: API error 401 authentication_failed, try 1 of 1',
    'tokens 0 + 0',
    'cost 0',
    'error auth: Failed to authenticate. API Error: 401 scripted 401',
    'failed (api_error, 1 turns): Failed to authenticate. API Error: 401 scripted 401',
  ],
  'claude.maxturns': [
    'session fed3fa33-5870-4c47-ad3a-02e9eedc961f',
    'turn 1',
    'Bash: echo x >> out.txt',
    'tokens 1000 + 1',
    'turn 2',
    'Bash: echo x >> out.txt',
    'tokens 2000 + 2',
    'turn 3',
    'Bash: echo x >> out.txt',
    'tokens 3000 + 3',
    'tokens 3000 + 150',
    'cost 0.015',
    'error max-turns: Reached maximum number of turns (3)',
    'failed (error_max_turns, 4 turns): ',
  ],
  'claude.sigint': [
    'session 3229f632-9db0-45d7-86c6-5a957b18820e',
    'turn 1',
    'Bash: tail -f /dev/null',
    'tokens 1000 + 1',
    'tokens 1000 + 50',
    'cost 0.005',
    'error other: [ede_diagnostic] result_type=user last_content_type=n/a stop_reason=tool_use',
    'failed (error_during_execution, 3 turns): ',
  ],
  codex: [
    'session 01a1e115-5690-7233-b1c0-5c1cd0a27d46',
    'text Running it.',
    `shell: ${COMMAND}`,
    `text ${DONE}`,
    'tokens 2000 + 100',
    `ok (null, null turns): ${DONE}`,
  ],
  'codex.err401': [
    'session 01a1e0f7-d629-7491-8939-f5b5e73068d7',
    'error auth: unexpected status 401 Unauthorized: scripted 401, url: http://127.0.0.1:8123/v1/responses',
    'failed (turn.failed, null turns): ',
  ],
  copilot: [
    'turn 1',
    'text Running it.',
    `bash: ${COMMAND}`,
    'turn 2',
    `text ${DONE}`,
    'session 8775f918-62ef-41c9-aa2e-623b19f3f4c2',
    `ok (null, 2 turns): ${DONE}`,
  ],
  'copilot.err401': [
    'turn 1',
    'error auth: Authentication failed with provider at http://127.0.0.1:8123/v1 (HTTP 401).\n' +
      '  Check your COPILOT_PROVIDER_API_KEY, COPILOT_PROVIDER_API_KEY_COMMAND, or COPILOT_PROVIDER_BEARER_TOKEN.',
    'session 152395e4-6b78-482e-8c59-8c8b101a4128',
    'failed (authentication, 1 turns): ',
  ],
  gemini: [
    'session bdd28707-3fb6-44a0-aed2-03d5e3886db6',
    'turn 1',
    'text Running it.',
    `run_shell_command: ${COMMAND}`,
    'turn 2',
    `text ${DONE}`,
    'tokens 2000 + 100',
    `ok (null, null turns): ${DONE}`,
  ],
  'gemini.err401': [
    'session 8bc3776a-656a-4341-bb91-8d07a391373a',
    'tokens 0 + 0',
    'error auth: [API Error: {"error":{"code":401,"message":"scripted 401","status":"UNAUTHENTICATED"}}]',
    'failed (unknown, null turns): ',
  ],
  'gemini.maxturns': [
    'session 8ee89678-1e25-4a31-ab0a-2688faed0a3e',
    'turn 1',
    'run_shell_command: echo x >> out.txt',
    'turn 2',
    'run_shell_command: echo x >> out.txt',
    'turn 3',
    'run_shell_command: echo x >> out.txt',
    'tokens 3000 + 150',
    'error max-turns: Reached max session turns for this session. ' +
      'Increase the number of turns by specifying maxSessionTurns in settings.json.',
    'failed (FatalTurnLimitedError, null turns): ',
  ],
  opencode: [
    'session ses_e1eea9c57ffeGlw0V30AQMf2Uq',
    'turn 1',
    'text Running it.',
    `bash: ${COMMAND}`,
    'tokens 1000 + 50',
    'cost 0.0011',
    'turn 2',
    `text ${DONE}`,
    'tokens 2000 + 100',
    'cost 0.0022',
    `ok (null, 2 turns): ${DONE}`,
  ],
  'opencode.err401': [
    'session ses_e1f08040fffeCIi76d5f5RaQbL',
    'error auth: scripted 401',
    'failed (APIError, 0 turns): ',
  ],
  qwen: [
    'session f99f58ba-4c51-4837-b612-1622eebcfdca',
    'turn 1',
    'text Running it.',
    `run_shell_command: ${COMMAND}`,
    'tokens 1000 + 50',
    'turn 2',
    `text ${DONE}`,
    'tokens 2000 + 100',
    'tokens 2000 + 100',
    `ok (null, 2 turns): ${DONE}`,
  ],
  'qwen.err401': [
    'session 3dedcd7e-fdca-45ff-9d3b-aa263a34d577',
    'error auth: [API Error: 401 scripted 401]',
    'tokens 0 + 0',
    'error auth: [API Error: 401 scripted 401]',
    'failed (error_during_execution, 1 turns): ',
  ],
  'qwen.maxturns': [
    'session 9bfc7182-23eb-4dda-bd58-ae083d67c75d',
    'turn 1',
    'run_shell_command: echo x >> out.txt',
    'tokens 1000 + 50',
    'turn 2',
    'run_shell_command: echo x >> out.txt',
    'tokens 2000 + 100',
    'turn 3',
    'run_shell_command: echo x >> out.txt',
    'tokens 3000 + 150',
  ],
}

test.each(Object.entries(EXPECTED))('the recorded stream %s is read completely', (recording, expected) => {
  expect(eventsOf(recording).map(summary)).toEqual(expected)
})

test('every recording is read by a test', () => {
  const recordings = readdirSync(FOLDER).flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -6)] : []))
  expect(recordings.sort()).toEqual(Object.keys(EXPECTED).sort())
})

test('earlier spending of a resumed session is not counted again if the client counts whole sessions', () => {
  const before = { input: 1500, output: 40, usd: 0.004 }
  const totals = (client: string) => eventsOf(client, before).filter(isTotal).map(summary).slice(-2)
  expect(totals('claude')).toEqual(['tokens 2000 + 100', 'cost 0.006'])
  expect(totals('codex')).toEqual(['tokens 500 + 60'])
  expect(totals('qwen').at(-1)).toBe('tokens 500 + 60')
  expect(totals('opencode')).toEqual(['tokens 2000 + 100', 'cost 0.0022'])
  expect(totals('gemini')).toEqual(['tokens 2000 + 100'])
})

function isTotal({ kind }: AgentEvent): boolean {
  return kind === 'tokens' || kind === 'cost'
}

test('without a result line, the exit code shows the turn limit', () => {
  expect(agentNamed('qwen').exitHint?.(53)).toBe('max-turns')
  expect([53, 145, 173, 41, 244, 0].map((code) => agentNamed('gemini').exitHint?.(code))).toEqual([
    ...(['max-turns', 'auth', 'limit', 'auth'] as const),
    ...[null, null],
  ])
})
