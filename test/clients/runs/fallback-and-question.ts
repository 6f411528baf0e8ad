import { expect, setDefaultTimeout, test } from 'bun:test'
import { aClientScenario, expectOk } from '../client-repo.ts'
import { TIME_LIMIT_MS } from '../client-test.ts'
import { CLIENTS } from '../clients.ts'
import { ANTHROPIC } from '../limit-answers.ts'
import type { Script } from '../model-script.ts'
import { expectNothingLeft } from '../scenarios/nothing-left.ts'
import { COMMITS } from '../scenarios/scripts.ts'

setDefaultTimeout(TIME_LIMIT_MS)

const HOURS = 3 * 3_600_000

test('claude reaches its usage limit, and codex does its task', async () => {
  const refusal = ANTHROPIC.withReset(new Date(Date.now() + HOURS))
  const config = 'defaults: { agent: claude }\nfallback: [claude, codex]\n'
  const codex = { client: CLIENTS.codex, script: COMMITS }
  const scenario = aClientScenario(CLIENTS.claude, { turns: [], closing: '', refusal }, config, codex)
  scenario.add('Make a file')
  const { stdout, stderr } = expectOk(await scenario.repo.start(['gza', 'work', '--all'], { timeout: TIME_LIMIT_MS }))
  expect(stdout).toContain('codex stands in for claude')
  const { status, runs } = scenario.show(1)
  expect([status, runs.map(({ agent, reason }) => [agent, reason])]).toEqual([
    'completed',
    [
      ['claude', 'usage-limit'],
      ['codex', null],
    ],
  ])
  // What codex has cost is unknown, and claude was refused at once.
  expect(stderr).toContain('unknown (codex reports none)\n')
  expect(scenario.asked().length).toBeGreaterThan(0)
  expectNothingLeft(scenario)
})

const ASKS: Script = { turns: [{ run: 'git tasks ask 1 "Which colour?"' }], closing: 'I wait for the answer.' }
/** The conversation that it continues has one turn already. */
const ANSWERED: Script = { ...COMMITS, turns: [...ASKS.turns, ...COMMITS.turns] }

test('claude asks, a person answers, and the same session continues with the answer', async () => {
  const scenario = aClientScenario(CLIENTS.claude, (request) => (request.includes('Cobalt blue') ? ANSWERED : ASKS))
  scenario.add('Paint the door')
  const asked = await scenario.work('1')
  expect([asked.code, asked.stdout]).toEqual([1, expect.stringContaining('? Task #1 asks: Which colour?')])
  const before = scenario.requests().length
  expectOk(scenario.repo.gza('answer', '1', 'Cobalt blue'))
  expectOk(await scenario.work('1'))
  const { status, runs } = scenario.show(1)
  expect([status, runs.map(({ reason }) => reason)]).toEqual(['completed', ['question', null]])
  // The second call continues the conversation: the client sends the words of the first one again.
  expect(scenario.requests().slice(before).join('\n')).toContain('I wait for the answer.')
  expectNothingLeft(scenario)
})
