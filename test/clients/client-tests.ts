import { setDefaultTimeout } from 'bun:test'
import { TIME_LIMIT_MS } from './client-test.ts'
import { CLIENTS } from './clients.ts'
import type { Habits } from './habits.ts'
import { testBudgets } from './scenarios/budgets.ts'
import { testDenied } from './scenarios/denied.ts'
import { testKills } from './scenarios/kills.ts'
import { testLimits } from './scenarios/limits.ts'
import { testRefusals } from './scenarios/refusals.ts'
import { testReview } from './scenarios/review.ts'
import { testSessions } from './scenarios/sessions.ts'
import { testWork } from './scenarios/work.ts'

/** The ways a run can go, with the real client. Not picked up by `npm test`: see docs/clients.md. */
export function testClient(name: keyof typeof CLIENTS, habits: Habits): void {
  setDefaultTimeout(TIME_LIMIT_MS)
  const client = CLIENTS[name]
  testWork(client, habits)
  testReview(client, habits)
  testRefusals(client, habits)
  testDenied(client, habits)
  testLimits(client, habits)
  testBudgets(client, habits)
  testKills(client)
  testSessions(client, habits)
}
