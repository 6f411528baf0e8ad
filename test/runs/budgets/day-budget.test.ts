import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'
import { withOpencode } from '../../support/scripted-opencode.ts'

const HONEST = { else: 'commit "$title.txt" a; result done; git tasks done "$task"' }

test('once the day’s budget is spent nothing is started in any repository until the next day', () => {
  const first = withClaude(HONEST, { config: { budgets: { day_usd: 0.2 } } })
  const second = withClaude(HONEST, { env: { HOME: first.env.HOME }, config: { budgets: { day_usd: 0.2 } } })
  first.add('one')
  second.add('two')
  second.add('three')
  expect(first.gza('work', '--all').code).toBe(0)
  const { code, stdout } = second.gza('work', '--all', '--workers', '2')
  expect([code, stdout.match(/budget/g)]).toEqual([0, ['budget']])
  expect(stdout).toMatch(/^The day's budget is spent \(\$0\.25 of \$0\.20\); nothing more is started before \d{4}-/)
  expect(second.tasks('run').stdout).toContain('$0.25 of $0.20')
  expect(second.calls()).toEqual([])
  expect(second.why('1')).toBe('DAY_BUDGET')
  expect(second.inbox()).toEqual([])
  expect(second.gza('doctor').stdout).toContain('the day’s budget is used up: $0.25 of $0.20')
  expect(first.gza('stats').stdout).toEndWith('today, in all repositories: $0.25 of $0.20\n')
  accountOf(first).run("UPDATE spending SET day = '2020-01-01'")
  expect(second.why('1')).toBe('READY')
  expect(second.gza('work').code).toBe(0)
  expect(second.task('1').runs).toHaveLength(1)
})

test('a day is the local one', () => {
  const repo = withClaude(HONEST)
  const far = new Date().getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Etc/GMT+12'
  repo.add('one')
  repo.add('two')
  repo.gza('work')
  repo.withEnv({ TZ: far }).gza('work')
  expect(accountOf(repo).query('SELECT usd, turns FROM spending').all()).toEqual([
    { usd: 0.25, turns: 3 },
    { usd: 0.25, turns: 3 },
  ])
})

test('an agent that passes it is ended, and its task loses no attempt', () => {
  const config = { budgets: { day_usd: 0.3 } }
  const repo = withOpencode({ else: 'turn 0.2; turn 0.2; forever' }, { defaults: { max_attempts: 1 }, config })
  repo.add('one')
  repo.gza('work', '--all')
  expect(repo.calls()).toHaveLength(1)
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ reason: 'day-budget', cost_usd: 0.4 }] })
  expect(repo.why('1')).toBe('DAY_BUDGET')
})

test('the day can be limited in turns as well', () => {
  const repo = withClaude(HONEST, { config: { budgets: { day_turns: 3 } } })
  repo.add('one')
  repo.add('two')
  expect(repo.gza('work', '--all').stdout).toContain("The day's budget is spent (3 of 3 turns)")
  expect(repo.calls()).toHaveLength(1)
})

test('workers of many repositories that pay at the same time forget nothing', async () => {
  const act = { else: 'turn 0.01; turn 0.01; turn 0.01; turn 0.01; commit a.txt a; finish 0.01' }
  const first = withOpencode(act)
  const all = [first, ...Array.from({ length: 5 }, () => withOpencode(act, { env: { HOME: first.env.HOME } }))]
  for (const repo of all) repo.add('one')
  await Promise.all(all.map((repo) => repo.start(['gza', 'work'], { env: { PATH: repo.env.PATH } })))
  expect(accountOf(first).query('SELECT round(usd, 6) AS usd, turns FROM spending').all()).toEqual([
    { usd: 0.3, turns: 30 },
  ])
})

test('a store that is not a database stops the work with a message about what to do', () => {
  const repo = withClaude(HONEST, { config: { budgets: { day_usd: 1 } } })
  repo.add('one')
  const path = join(String(repo.env.HOME), '.local/state/gza/account.db')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'no store at all, and long enough to be read as one '.repeat(20))
  expect(repo.gza('work')).toMatchObject({ code: 1, stderr: expect.stringContaining(`${path} cannot be used`) })
  expect(repo.calls()).toEqual([])
})

function accountOf({ env }: AgentRepo): Database {
  return new Database(join(String(env.HOME), '.local/state/gza/account.db'))
}
