import { expect, test } from 'bun:test'
import { STREAMS, withClient } from '../../support/scripted-client.ts'

/** What each client prints if it is asked to resume a session that is not there, and its exit code. */
const GONE: Record<string, string> = {
  claude: `echo '{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":0,"session_id":"s1","total_cost_usd":0,"usage":{"input_tokens":0,"output_tokens":0},"errors":["No conversation found with session ID: s1"]}'; exit 1`,
  codex: `echo 'Error: thread/resume: thread/resume failed: no rollout found for thread id s1 (code -32600)' >&2; exit 1`,
  opencode: `echo 'Error: Session not found' >&2; exit 1`,
  gemini: `echo 'Error resuming session: No previous sessions found for this project.' >&2; exit 42`,
  qwen: `echo 'No saved session found with ID s1. Run qwen --resume without an ID to choose.' >&2; exit 1`,
  copilot: `echo "Error: No session, task, or name matched 's1'." >&2; exit 1`,
}

test.each(Object.keys(GONE))('%s starts without a session that is gone, and no attempt is lost', (client) => {
  const { begin, end } = STREAMS[client] ?? { begin: '', end: '' }
  const act = `if $resumed; then ${GONE[client]}; fi\n${begin}\ncommit "$([ -e one.txt ] && echo two || echo one).txt" x\n${end}`
  const config = { verify: { command: 'test -f two.txt' } }
  const repo = withClient(client, act, { defaults: { max_attempts: 1 }, config })
  repo.add('Make two files')
  expect(repo.gza('work', '--no-base-check').code).toBe(1)
  expect(
    repo.task('1').runs.map(({ reason, session }) => ({ reason, hasSession: typeof session === 'string' })),
  ).toEqual([{ reason: 'verify-failed', hasSession: true }])
  expect(repo.gza('retry', '1')).toMatchObject({ code: 0 })
  expect(repo.task('1')).toMatchObject({
    status: 'completed',
    runs: [{ outcome: 'failed' }, { outcome: 'completed', attempt: 2 }],
  })
  expect(repo.calls()).toHaveLength(3)
  expect(repo.gza('logs', '1').stdout).toContain('cannot be resumed')
})

test('a session that answers and then fails is not started twice', () => {
  const { begin, end } = STREAMS.claude ?? { begin: '', end: '' }
  const fail = `${begin}; echo '{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"hm"}]}}'; exit 1`
  const repo = withClient('claude', `if $resumed; then ${fail}; fi\n${begin}\n${end}`, {
    defaults: { max_attempts: 1 },
  })
  repo.add('Do it')
  repo.gza('work')
  repo.gza('retry', '1')
  expect(repo.calls()).toHaveLength(2)
  expect(repo.task('1').runs.map(({ reason }) => reason)).toEqual(['no-changes', 'agent-error'])
})
