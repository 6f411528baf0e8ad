import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { STREAMS, withClient } from '../../support/scripted-client.ts'

const begin = (client: string) => STREAMS[client]?.begin ?? ''
const end = (client: string) => STREAMS[client]?.end ?? ''

/** It would wait for hours, as the real clients do. */
const WAITS = 'touch "$beside/waiting"; exec tail -f "$beside/agent"'

const RETRY =
  'Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 3h2m1s.. Retrying after 13028899ms...'

test('gemini is ended at once if its quota resets in hours, and is paused until then', () => {
  const repo = withClient('gemini', `${begin('gemini')}\necho '${RETRY}' >&2\n${WAITS}`, {
    defaults: { max_attempts: 1 },
  })
  repo.add('One')
  repo.add('Two')
  const before = Date.now()
  const { code, stdout } = repo.gza('work', '--all')
  expect({ code, calls: repo.calls().length }).toEqual({ code: 1, calls: 1 })
  const [, until = ''] = /gemini is at its usage limit until (\S+?);/.exec(stdout) ?? []
  const wait = (3 * 3600 + 2 * 60 + 1) * 1000
  expect(Date.parse(until)).toBeWithin(before + wait - 1000, Date.now() + wait + 1000)
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'failed', reason: 'usage-limit' }] })
  expect(repo.why('1')).toBe('AGENT_PAUSED')
  expect(repo.survivors()).toEqual([])
})

test('qwen is ended when it begins to wait for a quota', () => {
  const quota =
    'Retrying in 60s (attempt 1/10): [API Error: 429 You exceeded your current quota, please check your plan.]'
  const event = '{"type":"system","subtype":"retry","session_id":"s1","data":{"attempt":1,"delayMs":60000}}'
  const act = `${begin('qwen')}\necho '${event}'\necho '${quota}' >&2\n${WAITS}`
  const repo = withClient('qwen', act, { defaults: { max_attempts: 1 } })
  repo.add('One')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ reason: 'usage-limit' }] })
})

test('a qwen that was silent at its limit until it stalled is paused: its session file has the reason', () => {
  const refusal = JSON.stringify({
    type: 'system',
    systemPayload: {
      uiEvent: { 'event.name': 'qwen-code.api_error', error_message: '429 You exceeded your current quota.' },
    },
  })
  const act = `${begin('qwen')}
folder="$HOME/.qwen/projects/-some-project/chats"; mkdir -p "$folder"; echo '${refusal}' >"$folder/s1.jsonl"
${WAITS}`
  const repo = withClient('qwen', act, { defaults: { max_attempts: 1, stall_minutes: 0.01 } })
  repo.add('One')
  repo.gza('work')
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ reason: 'usage-limit' }] })
})

test('a qwen that waits in silence for a far reset is ended at once: gza reads its session file meanwhile', () => {
  const error_message = '429 Weekly usage limit reached. Resets in 3 hours 2 minutes.'
  const refusal = { systemPayload: { uiEvent: { 'event.name': 'qwen-code.api_error', error_message } } }
  const act = `${begin('qwen')}
folder="$HOME/.qwen/projects/-some-project/chats"; mkdir -p "$folder"; echo '${JSON.stringify(refusal)}' >"$folder/s1.jsonl"
${WAITS}`
  const repo = withClient('qwen', act, { defaults: { max_attempts: 1 } })
  repo.add('One')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ reason: 'usage-limit' }] })
  expect(repo.why('1')).toBe('AGENT_PAUSED')
  expect(repo.survivors()).toEqual([])
})

test('a limit from which a client recovers is not a limit', () => {
  const line =
    'timestamp=2026-11-17T10:00:00Z level=ERROR run=x message="stream error" service=llm small=false error.error="AI_APICallError: You exceeded your current quota"'
  const text = '{"type":"text","sessionID":"s1","part":{"text":"Here it is."}}'
  const act = `${begin('opencode')}\necho '${line}' >&2\nsleep 0.2\necho '${text}'\ncommit one.txt x\n${end('opencode')}`
  const repo = withClient('opencode', act)
  repo.add('One')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.task('1')).toMatchObject({ status: 'completed', runs: [{ outcome: 'completed' }] })
  expect(repo.gza('logs', '1').stdout).toContain('usage limit: You exceeded your current quota')
})

test('a call that copilot denies is shown as denied, and the next attempt learns of it', () => {
  const call = '"toolCallId":"c1","toolName":"bash","arguments":{"command":"cat /etc/hostname"}'
  const act = `${begin('copilot')}
echo '{"type":"tool.execution_start","data":{${call}}}'
echo '{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":false,"error":{"message":"Permission denied","code":"denied"}}}'
id=$(tr '\\0' '\\n' <"$call/arguments" | sed -n 's/^--\\(session-id\\|resume\\)=//p'); echo "$id" >>"$beside/ids"
folder="$HOME/.copilot/session-state/$id"; mkdir -p "$folder"
touch "$folder/events.jsonl"; input=$((200 + $(grep -c . "$folder/events.jsonl") * 100))
echo '{"type":"session.shutdown","data":{"modelMetrics":{"m":{"usage":{"inputTokens":'$input',"outputTokens":20}}}}}' >>"$folder/events.jsonl"
${end('copilot').replace('"s1"', `"'"$id"'"`)}`
  const repo = withClient('copilot', act, { defaults: { max_attempts: 2 } })
  repo.add('One')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.task('1').runs).toMatchObject([
    { reason: 'no-changes', tokens_in: 200, tokens_out: 20 },
    { reason: 'no-changes', tokens_in: 200, tokens_out: 20 },
  ])
  expect(repo.gza('logs', '1').stdout).toContain('denied: bash: cat /etc/hostname')
  expect(repo.calls()[1]?.prompt).toContain('The client denied a call: bash: cat /etc/hostname')
  // A retry continues the session that gza named, and its tokens are not counted twice.
  repo.gza('retry', '1')
  const ids = readFileSync(repo.beside('ids'), 'utf8').trim().split('\n')
  expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
  expect(new Set(ids).size).toBe(2)
  expect(repo.task('1').runs.at(-1)).toMatchObject({ session: ids[1], tokens_in: 100, tokens_out: 0 })
})

test('the tokens of a claude that stopped at its own cost limit are kept', () => {
  const act = `${begin('claude')}
echo '{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"hm"}],"usage":{"input_tokens":70,"output_tokens":30}}}'
echo '{"type":"result","subtype":"error_max_budget_usd","is_error":true,"session_id":"s1","num_turns":1,"total_cost_usd":0.5,"usage":{"input_tokens":0,"output_tokens":0}}'
exit 1`
  const repo = withClient('claude', act, { defaults: { max_attempts: 1 } })
  repo.add('One')
  repo.gza('work')
  expect(repo.task('1').runs).toMatchObject([{ reason: 'over-budget', tokens_in: 70, tokens_out: 30, cost_usd: 0.5 }])
})
