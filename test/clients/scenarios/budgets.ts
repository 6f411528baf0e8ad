import { expect } from 'bun:test'
import { aClientScenario } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import type { Habits } from '../habits.ts'
import type { Script } from '../model-script.ts'
import { expectNothingLeft } from './nothing-left.ts'

const ENDLESS: Script = { turns: [{ run: 'date >> made.txt' }], closing: '', endless: true }

export function testBudgets(client: Client, { costUsd }: Habits): void {
  const runStopped = async (config: string, requests: number) => {
    const scenario = aClientScenario(client, ENDLESS, config)
    scenario.add('Make a file')
    await scenario.work('1')
    const { status, runs } = scenario.show(1)
    expect({ status, runs }).toMatchObject({
      status: 'failed',
      runs: [{ outcome: 'failed', reason: 'over-budget' }],
    })
    expect(scenario.requests().length).toBeLessThan(requests)
    expectNothingLeft(scenario)
    return runs[0]
  }
  testRows(client, ['turns'], async () => {
    await runStopped('defaults: {max_turns: 1, max_attempts: 1}\n', 8)
  })
  testRows(client, ['cost'], async () => {
    const run = await runStopped(`budgets: {phase_usd: ${costUsd * 2}}\ndefaults: {max_attempts: 1}\n`, 12)
    // What was spent until then counts, although claude's own report of its stop says 0.
    expect(run?.tokens_in).toBeGreaterThanOrEqual(300)
    expect(run?.cost_usd).toBeGreaterThanOrEqual(costUsd * 2)
  })
}
