import { expect } from 'bun:test'
import { until } from '../../support/until.ts'
import { aClientScenario, expectOk } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import type { Habits } from '../habits.ts'
import { expectNothingLeft } from './nothing-left.ts'
import { COMMITS } from './scripts.ts'

export function testRefusals(client: Client, habits: Habits): void {
  const { name } = client

  testRows(client, ['login'], async () => {
    const scenario = aClientScenario(client, { turns: [], closing: '', refusal: { status: 401 } })
    scenario.add('Make a file')
    scenario.add('Make another')
    const { code, stdout } = await scenario.work('--all', '--workers', '2')
    expect({ code, last: stdout.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      last: `${name} cannot be used until a person has fixed it: gza inbox`,
    })
    expect(scenario.show(1)).toMatchObject({ status: 'pending', runs: [{ outcome: 'failed', reason: 'auth-failed' }] })
    expect(scenario.show(2)).toMatchObject({ status: 'pending', runs: [] })
    expect(scenario.json('inbox')).toMatchObject([{ task: { number: 1 }, code: 'AUTH_FAILED' }])
    expect(scenario.requests().length).toBeLessThan(10)
    expectNothingLeft(scenario)
  })

  for (const [row, status] of [
    ['busy', 429],
    ['broken', 500],
  ] as const) {
    const delays = async () => {
      const config = `retry: {backoff_seconds: 1}\ndefaults: {max_attempts: 2, timeout_minutes: ${habits.minutes}}\n`
      const scenario = aClientScenario(client, { turns: [], closing: '', refusal: { status } }, config)
      scenario.add('Make a file')
      const working = scenario.work('1')
      await until(() => (scenario.show(1).runs[0]?.ended_at ?? null) !== null)
      scenario.play(COMMITS)
      expectOk(await working)
      const { status: came, runs } = scenario.show(1)
      expect({ came, runs: runs.map(({ outcome, reason }) => reason ?? outcome) }).toEqual({
        came: 'completed',
        runs: ['overloaded', 'completed'],
      })
      expectNothingLeft(scenario)
    }
    testRows(client, [row], delays, true)
  }
}
