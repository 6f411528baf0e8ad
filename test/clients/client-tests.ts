import { setDefaultTimeout } from 'bun:test'
import { TIME_LIMIT_MS } from './client-test.ts'
import { CLIENTS, type Client } from './clients.ts'
import { HABITS } from './habits.ts'
import { testedPairs } from './pairs.ts'
import { testBudgets } from './scenarios/budgets.ts'
import { testCycle } from './scenarios/cycle.ts'
import { testDenied } from './scenarios/denied.ts'
import { testKills } from './scenarios/kills.ts'
import { testLimits } from './scenarios/limits.ts'
import { testRefusals } from './scenarios/refusals.ts'
import { testReview } from './scenarios/review.ts'
import { testSandbox } from './scenarios/sandbox.ts'
import { testSessions } from './scenarios/sessions.ts'
import { testStrict } from './scenarios/strict.ts'
import { testWork } from './scenarios/work.ts'
import { chosenRows } from './table/choose-rows.ts'

/** The ways a run can go, with the real client. Not picked up by `npm test`: see docs/clients.md. */
export function testClient(name: keyof typeof CLIENTS): void {
  setDefaultTimeout(TIME_LIMIT_MS)
  testAll(CLIENTS[name])
}

/** What depends on the box and on the user, at the other levels and as the other user. */
export function testPairs(name: keyof typeof CLIENTS): void {
  setDefaultTimeout(TIME_LIMIT_MS)
  const isFull = process.env.GZA_CLIENT_LEVELS === 'all'
  for (const pair of testedPairs().slice(1)) testAll({ ...CLIENTS[name], pair, rows: chosenRows(name, pair, isFull) })
}

function testAll(client: Client): void {
  const habits = HABITS[client.name as keyof typeof CLIENTS]
  testWork(client, habits)
  testReview(client, habits)
  testCycle(client)
  testStrict(client)
  testSandbox(client)
  testRefusals(client, habits)
  testDenied(client, habits)
  testLimits(client, habits)
  testBudgets(client, habits)
  testKills(client)
  testSessions(client, habits)
}
