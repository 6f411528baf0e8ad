import { expect } from 'bun:test'
import { aClientScenario, type ClientScenario, expectOk } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import type { Habits } from '../habits.ts'
import { expectNothingLeft } from './nothing-left.ts'
import { SPENT } from './scripts.ts'

const WANTS_TWO = 'verify: {command: test -f two.txt}\ndefaults: {max_attempts: 1}\n'

export function testSessions(client: Client, { costUsd }: Habits): void {
  testRows(client, ['resumed', 'tokens'], async () => {
    const scenario = await expectResumed(client)
    // A client that counts the whole session would report the tokens of the first run again.
    for (const run of scenario.show(1).runs) expect(run).toMatchObject({ cost_usd: costUsd, ...SPENT })
  })

  testRows(client, ['lost'], async () => {
    const scenario = await failedFirst(client)
    const asked = scenario.requests().length
    const elsewhere = scenario.withNewHome()
    expectOk(await elsewhere.retry('1'))
    expectBoth(elsewhere)
    expect(wasToldAgain(elsewhere, asked)).toBe(false)
    expectNothingLeft(elsewhere)
  })
}

/** `also`: what the first run tries besides. */
export async function expectResumed(client: Client, also = 'true'): Promise<ClientScenario> {
  const scenario = await failedFirst(client, also)
  const asked = scenario.requests().length
  expectOk(await scenario.retry('1'))
  expectBoth(scenario)
  expect(wasToldAgain(scenario, asked)).toBe(true)
  expectNothingLeft(scenario)
  return scenario
}

/** The first run fails its check and leaves a session with words that only the session has. */
async function failedFirst(client: Client, also = 'true'): Promise<ClientScenario> {
  const scenario = aClientScenario(
    client,
    { turns: [{ run: `echo one > one.txt; ${also}` }], closing: 'FIRST-WORDS' },
    WANTS_TWO,
  )
  scenario.add('Make two files')
  await scenario.work('1')
  expect(scenario.show(1)).toMatchObject({ status: 'failed', runs: [{ reason: 'verify-failed' }] })
  // A session that continues has the result of one tool already.
  scenario.play({ turns: [{ run: 'true' }, { run: 'echo two > two.txt' }], closing: 'Now both are there.' })
  return scenario
}

function expectBoth(scenario: ClientScenario): void {
  const { status, runs } = scenario.show(1)
  expect({ status, outcomes: runs.map(({ outcome }) => outcome) }).toEqual({
    status: 'completed',
    outcomes: ['failed', 'completed'],
  })
}

function wasToldAgain(scenario: ClientScenario, since: number): boolean {
  return scenario
    .requests()
    .slice(since)
    .some((text) => text.includes('FIRST-WORDS'))
}
