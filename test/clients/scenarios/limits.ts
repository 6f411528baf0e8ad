import { expect } from 'bun:test'
import { aClientScenario, type ClientScenario, expectOk } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import type { Habits } from '../habits.ts'
import type { Refusal } from '../model-script.ts'
import { expectNothingLeft } from './nothing-left.ts'
import { COMMITS, SPENT } from './scripts.ts'

const MINUTE = 60_000

export function testLimits(client: Client, habits: Habits): void {
  const { limit, costUsd } = habits

  testRows(
    client,
    ['limitReset'],
    async () => {
      const resetsAt = new Date(Math.ceil(Date.now() / MINUTE) * MINUTE + 182 * MINUTE)
      // Also a client that is silent is not waited for: the time limit of the run is hours away.
      const { isSilentAtLimits: _, ...known } = habits
      const until = await pausedBy(client, known, limit.withReset(resetsAt))
      // Some clients name the time to the minute, some a duration from a moment that has passed since.
      expect(Math.abs(until.getTime() - resetsAt.getTime())).toBeLessThan(5 * MINUTE)
    },
    true,
  )

  testRows(
    client,
    ['limit'],
    async () => {
      const before = Date.now()
      const until = await pausedBy(client, habits, limit.withoutReset)
      expect(until.getTime()).toBeGreaterThan(before + 10 * MINUTE)
      expect(until.getTime()).toBeLessThan(Date.now() + 65 * MINUTE)
    },
    true,
  )

  testRows(client, ['recovery'], async () => {
    const script = { ...COMMITS, refusal: { ...limit.passing, times: 1 } }
    const scenario = aClientScenario(client, script, configFor(client, habits))
    scenario.add('Make a file')
    expectOk(await scenario.work('1'))
    const { status, runs } = scenario.show(1)
    expect({ status, runs: runs.length }).toEqual({ status: 'completed', runs: 1 })
    expect(runs[0]).toMatchObject({ outcome: 'completed', cost_usd: costUsd, ...SPENT })
    scenario.add('Another')
    expect(whyNot(scenario, 2)).toMatchObject({ code: 'READY' })
    expectNothingLeft(scenario)
  })
}

/** Until when the agent is paused after a run that the provider refused. */
async function pausedBy(client: Client, habits: Habits, refusal: Refusal): Promise<Date> {
  const scenario = aClientScenario(client, { turns: [], closing: '', refusal }, configFor(client, habits))
  scenario.add('Make a file')
  scenario.add('Make another')
  const { code, stdout } = await scenario.work('--all')
  const { status, runs } = scenario.show(1)
  expect({ code, status, runs: runs.map(({ outcome, reason }) => reason ?? outcome) }).toEqual({
    code: 1,
    status: 'pending',
    runs: ['usage-limit'],
  })
  expect(scenario.show(2)).toMatchObject({ status: 'pending', runs: [] })
  expect(stdout).toContain(`${client.name} is at its usage limit until `)
  expectNothingLeft(scenario)
  const { code: why, detail: line } = whyNot(scenario, 1)
  expect(why).toBe('AGENT_PAUSED')
  return new Date(/until (\S+)/.exec(line)?.[1] ?? '')
}

/** Where the client speaks of its limit, nothing but gza ends it before the test is over. */
function configFor({ name, model }: Client, { isSilentAtLimits, minutes }: Habits): string {
  const more = [
    ...(model === null ? [] : [`model: ${model}`]),
    ...(isSilentAtLimits ? [`timeout_minutes: ${minutes}`] : []),
  ]
  return `defaults: {${['max_attempts: 1', `agent: ${name}`, ...more].join(', ')}}\n`
}

function whyNot({ json }: ClientScenario, task: number): { code: string; detail: string } {
  return json('why', String(task)) as { code: string; detail: string }
}
