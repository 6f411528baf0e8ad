import { expect, test } from 'bun:test'
import { GZA, textOf } from '../../../../test/cli/displays.ts'
import { aName } from '../../../../test/cli/task-view.ts'
import type { Stats } from '../../../reports/read-stats.ts'
import { renderStats } from './stats.ts'

const spent = {
  attempts: 2,
  completed: 1,
  failed: 1,
  interrupted: 0,
  seconds: 3725,
  tokens_in: 1_200_000,
  tokens_out: 50_000,
  cost_usd: 4.2,
  attempts_without_cost: 0,
  turns: 30,
}
const title = 'Refactor the auth middleware to use JWT instead of sessions'
const stats: Stats = {
  total: { tasks: 1, ...spent },
  by_type: [{ type: 'implement', tasks: 1, ...spent }],
  by_agent: [{ agent: 'claude', tasks: 1, ...spent }],
  by_task: [{ ...aName({ number: 29, title, status: 'failed' }), type: 'implement', deleted: false, ...spent }],
  today: { usd: 5, turns: 40, budget: { usd: null, turns: null } },
}

test('on a terminal names are cut and numbers are not', () => {
  expect(
    textOf(renderStats(stats, { ...GZA, width: 70 })),
  ).toBe(`                         tasks  attempts  failed   time  tokens   cost
total                        1         2       1  1h02m    1.3M  $4.20
by type
  implement                  1         2       1  1h02m    1.3M  $4.20
by agent
  claude                     1         2       1  1h02m    1.3M  $4.20
by task
  #29 Refacto… (failed)                2       1  1h02m    1.3M  $4.20
`)
})
