import { expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aGatedRepo, settled } from '../live-output/gated-agent.ts'

test('stats sums up attempts, time, tokens and cost, by type, by agent and by task; a cost that no client reported is unknown', () => {
  const repo = aGatedRepo('commit', 'verify: { command: "cat *.txt out.txt; grep -q 2 *.txt || test -e out.txt" }\n')
  const transcript = join(import.meta.dir, '../fixtures/transcripts/claude.jsonl')
  const claude = `#!/bin/sh\necho hi >out.txt\ngit add .\ngit commit -q -m done\ncat '${transcript}'\n`
  chmodSync(repo.write('../bin/claude', claude), 0o755)
  const env = { PATH: [join(repo.dir, '../bin'), repo.env.PATH].join(delimiter) }
  repo.gza('add', 'Write the parser', '-t', 'implement')
  repo.gza('add', 'Fix the lexer')
  repo.gza('add', 'Never started')
  repo.gza('work', '1')
  repo.run(['gza', 'work', '2', '--agent', 'claude'], { env })
  const { code, stdout } = repo.gza('stats')
  expect({ code, stdout: settled(stdout) }).toEqual({
    code: 0,
    stdout: `                       tasks  attempts  failed  time  tokens             cost
total                      2         3       1  Ns    2.1k  $0.01 + unknown
by type
  task                     1         1       0  Ns    2.1k            $0.01
  implement                1         2       1  Ns       0          unknown
by agent
  claude                   1         1       0  Ns    2.1k            $0.01
  scripted                 1         2       1  Ns       0          unknown
by task
  #1 Write the parser                2       1  Ns       0          unknown
  #2 Fix the lexer                   1       0  Ns    2.1k            $0.01
completed at the first try: 1 of 2 tasks
time:  Ns working,  Ns verifying,  Ns waiting
`,
  })
  const totals = { tokens_in: 2000, tokens_out: 100, cost_usd: 0.01, turns: 2, seconds: expect.any(Number) }
  const unknown = { tokens_in: 0, tokens_out: 0, cost_usd: 0, turns: 0, seconds: expect.any(Number) }
  const once = { attempts: 1, completed: 1, failed: 0, interrupted: 0, attempts_without_cost: 0, ...totals }
  const twice = { attempts: 2, completed: 1, failed: 1, interrupted: 0, attempts_without_cost: 2, ...unknown }
  const firstTry = { first_attempts: 1, first_try_completed: 1, review_cycles: 0, verify_seconds: expect.any(Number) }
  const firstFailed = { ...firstTry, first_try_completed: 0 }
  const byClaude = { task_count: 1, ...once, ...firstTry }
  const byScripted = { task_count: 1, ...twice, ...firstFailed }
  const all = {
    ...{ task_count: 2, attempts: 3, completed: 2, failed: 1, interrupted: 0, attempts_without_cost: 2, ...totals },
    ...{ ...firstTry, first_attempts: 2 },
  }
  const name = { id: expect.stringMatching(/^task-/), status: 'completed', deleted: false }
  expect(JSON.parse(repo.gza('stats', '--json').stdout)).toEqual({
    days: null,
    total: all,
    by_type: [
      { type: 'task', ...byClaude },
      { type: 'implement', ...byScripted },
    ],
    by_agent: [
      { agent: 'claude', ...byClaude },
      { agent: 'scripted', ...byScripted },
    ],
    by_model: [
      { agent: 'claude', model: null, ...byClaude },
      { agent: 'scripted', model: null, ...byScripted },
    ],
    by_day: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), finished_count: 2, landed_count: 0, ...all }],
    by_task: [
      { number: 1, title: 'Write the parser', type: 'implement', ...name, ...twice },
      { number: 2, title: 'Fix the lexer', type: 'task', ...name, ...once },
    ],
    time: {
      working_seconds: expect.any(Number),
      verifying_seconds: expect.any(Number),
      waiting_to_start_seconds: expect.any(Number),
      waiting_to_retry_seconds: expect.any(Number),
      waiting_to_land_seconds: 0,
    },
    today: { cost_usd: 0.01, turns: 2, budget: { cost_usd: null, turns: null } },
    task_budget: { cost_usd: null, turns: null },
  })
})

test('what was spent on a deleted task was spent, and what the day has spent is not $0.00 where nobody reported it', () => {
  const repo = aGatedRepo('commit', 'budgets: { day_usd: 5 }\n')
  repo.gza('add', 'Write the parser')
  repo.gza('work')
  repo.gza('delete', '1')
  expect(settled(repo.gza('stats').stdout).split('\n').slice(-5)).toEqual([
    '  #1 Write the parser (deleted)                1       0  Ns       0  unknown',
    'completed at the first try: 1 of 1 task',
    'time:  Ns working,  Ns verifying,  Ns waiting',
    'today, in all repositories: no cost reported of $5.00',
    '',
  ])
})

test('where nothing has run there is nothing to sum up', () => {
  const repo = aGatedRepo('commit')
  expect(repo.gza('stats')).toEqual({ code: 0, stdout: '', stderr: 'Nothing has run yet.\n' })
})
