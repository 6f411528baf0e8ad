import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { STREAMS, withClient } from '../../support/scripted-client.ts'

const NEXT_YEAR = Math.floor(Date.now() / 1000) + 365 * 24 * 3600
const UNTIL = new Date(NEXT_YEAR * 1000).toISOString()
const LIMIT = `if [ -e "$beside/open" ]; then commit "$title.txt" x; else echo "Claude AI usage limit reached|${NEXT_YEAR}"; exit 1; fi`

test('a pause is shown by agents, doctor and inbox, and a person lifts it', () => {
  const repo = anAgentRepo({ else: LIMIT })
  repo.add('one')
  repo.gza('work')
  expect(JSON.parse(repo.gza('agents', '--json').stdout)).toMatchObject([{ agent: 'scripted', paused_until: UNTIL }])
  const line = `scripted is at its usage limit until ${UNTIL}`
  expect(repo.gza('agents').stdout).toContain(`${line}; gza agents resume scripted lifts the pause`)
  expect(repo.gza('doctor').stdout).toContain(line)
  expect(repo.gza('inbox').stdout).toContain('AGENT_PAUSED')
  // Work that does not wait ends with 1, in this tree as well.
  expect(repo.gza('work', '--all')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('agents resume scripted'),
  })
  expect(repo.tasks('run').code).toBe(1)
  expect(repo.calls()).toHaveLength(1)
  const asAgent = repo.withEnv({ GZA_AGENT: 'scripted' })
  expect(asAgent.gza('agents', 'resume', 'scripted')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('blocked in agent mode'),
  })
  expect(repo.gza('agents', 'resume', 'scripted')).toMatchObject({
    code: 0,
    stdout: `scripted: resumed (it was paused until ${UNTIL})\n`,
  })
  expect(JSON.parse(repo.gza('agents', 'resume', 'scripted', '--json').stdout)).toEqual({
    agent: 'scripted',
    lifted: [],
  })
  expect(repo.gza('agents', 'resume', 'scriptd')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no agent “scriptd”'),
  })
  expect(repo.gza('agents', 'resume').code).toBe(2)
  expect({ inbox: repo.inbox(), agents: repo.gza('agents').stdout }).toEqual({ inbox: [], agents: '' })
  writeFileSync(repo.beside('open'), '')
  expect(repo.gza('work').code).toBe(0)
})

test('gemini’s quota is that of a model: another model works on', () => {
  const { begin, end } = STREAMS.gemini ?? { begin: '', end: '' }
  const retry =
    'Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 3h.. Retrying after 10800000ms...'
  const act = `${begin}\ncase " $* " in *" -m pro "*) echo '${retry}' >&2; exec tail -f "$beside/agent";; esac\ncommit "$RANDOM.txt" x\n${end}`
  const repo = withClient('gemini', act)
  repo.add('One')
  repo.add('Two')
  expect(repo.gza('work', '1', '--model', 'pro').code).toBe(1)
  expect(repo.inbox()).toMatchObject([{ subject: 'gemini (model pro)', code: 'AGENT_PAUSED' }])
  expect(repo.gza('work', '2', '--model', 'pro').code).toBe(1)
  expect(repo.calls()).toHaveLength(1)
  expect(repo.gza('work', '2', '--model', 'flash').code).toBe(0)
  expect(repo.gza('work', '1').code).toBe(0)
})

test('a pause is that of an account: with another key the agent is called', () => {
  const { begin, end } = STREAMS.claude ?? { begin: '', end: '' }
  const limit = `echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"Claude AI usage limit reached|${NEXT_YEAR}","session_id":"s1"}'; exit 1`
  const act = `${begin}\n[ "$ANTHROPIC_API_KEY" = second ] || { ${limit}; }\ncommit a.txt x\n${end}`
  const repo = withClient('claude', act, { env: { ANTHROPIC_API_KEY: 'first' } })
  repo.add('One')
  repo.gza('work')
  repo.gza('work')
  expect(repo.calls()).toHaveLength(1)
  const other = repo.withEnv({ ANTHROPIC_API_KEY: 'second' })
  expect(other.gza('work').code).toBe(0)
  expect(repo.gza('inbox').stdout).toContain('AGENT_PAUSED')
})

test('without a reset time an agent is tried after 15, 30 and then every 60 minutes', () => {
  const repo = anAgentRepo({ else: `echo "You've hit your session limit"; exit 1` })
  repo.add('one')
  const minutes = [1, 2, 3, 4].map(() => {
    const before = Date.now()
    repo.gza('work')
    const paused = Math.floor((Date.parse(pausedUntil(repo)) - before) / 60_000)
    endPauses(repo)
    return paused
  })
  expect(minutes).toEqual([15, 30, 60, 60])
})

test('the inbox shows the rest if the account’s store is damaged', () => {
  const repo = anAgentRepo({ else: LIMIT })
  repo.add('one')
  repo.gza('work')
  // What was written last may still be beside it.
  for (const beside of ['-wal', '-shm']) rmSync(`${storeOf(repo)}${beside}`, { force: true })
  writeFileSync(storeOf(repo), 'not a database, but long enough to be taken for one'.repeat(100))
  expect(repo.inbox()).toMatchObject([{ subject: 'account.db', code: 'ACCOUNT_UNUSABLE' }])
  expect(repo.gza('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining('account.db cannot be used') })
})

function storeOf(repo: AgentRepo): string {
  return `${repo.env.HOME}/.local/state/gza/account.db`
}

function pausedUntil(repo: AgentRepo): string {
  const [agent] = JSON.parse(repo.gza('agents', '--json').stdout)
  return agent.paused_until
}

function endPauses(repo: AgentRepo): void {
  new Database(storeOf(repo)).run("UPDATE agent_pauses SET until = '2020-01-01T00:00:00Z'")
}
