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
const worked = {
  ...{ task_count: 1, ...spent },
  ...{ first_attempts: 1, first_try_completed: 0, review_cycles: 2, verify_seconds: 125 },
}
const stats: Stats = {
  days: null,
  total: worked,
  by_type: [{ type: 'implement', ...worked }],
  by_agent: [{ agent: 'claude', ...worked }],
  by_model: [{ agent: 'claude', model: 'opus', ...worked }],
  by_day: [{ day: '2026-03-02', finished_count: 1, landed_count: 1, ...worked }],
  by_task: [{ ...aName({ number: 29, title, status: 'failed' }), type: 'implement', deleted: false, ...spent }],
  today: { cost_usd: 5, turns: 40, budget: { cost_usd: null, turns: null } },
  task_budget: { cost_usd: null, turns: null },
  time: {
    ...{ working_seconds: 3600, verifying_seconds: 125, waiting_to_start_seconds: 60 },
    ...{ waiting_to_retry_seconds: 30, waiting_to_land_seconds: 10 },
  },
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
by model
  opus                       1         2       1  1h02m    1.3M  $4.20
by task
  #29 Refacto… (failed)                2       1  1h02m    1.3M  $4.20
completed at the first try: 0 of 1 task; 2 reviews within runs
time: 1h00m working, 2m05s verifying, 1m40s waiting
`)
})
