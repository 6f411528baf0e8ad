import { expect, test } from 'bun:test'
import { withClaude } from '../../support/scripted-claude.ts'
import { withOpencode } from '../../support/scripted-opencode.ts'

const ENDLESS = { else: 'turn 0.4; turn 0.4; turn 0.4; forever' }

test('an agent is ended while it works, once its call has cost more than it may', () => {
  const repo = withOpencode(ENDLESS, { defaults: { max_attempts: 1 }, config: { budgets: { phase_usd: 0.5 } } })
  repo.add('one')
  expect(repo.gza('work').code).toBe(1)
  const { status, runs } = repo.task('1')
  const detail = expect.stringMatching(/^the budget of one call is spent: \$(0\.8|1\.2)0 of \$0\.50$/)
  expect({ status, runs }).toMatchObject({ status: 'failed', runs: [{ reason: 'over-budget', detail }] })
  expect(repo.inbox()).toMatchObject([{ code: 'OVER_BUDGET' }])
  expect(repo.survivors()).toEqual([])
})

test('the same with turns, of which the fewest allowed count', () => {
  const config = { budgets: { phase_turns: 2 } }
  const repo = withOpencode(ENDLESS, { defaults: { max_attempts: 1, max_turns: 9 }, config })
  repo.add('one')
  repo.gza('work')
  expect(repo.task('1').runs).toMatchObject([
    { reason: 'over-budget', detail: 'the budget of one call is spent: 3 of 2 turns', turns: 3 },
  ])
})

test('a client that names its cost only at its end has done the work, and is not asked to do it again', () => {
  const repo = withClaude(
    { else: 'commit a.txt a; result done' },
    { config: { budgets: { phase_usd: 0.1, phase_turns: 2 } } },
  )
  repo.add('one')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.task('1')).toMatchObject({ status: 'completed', runs: [{ cost_usd: 0.25, turns: 3 }] })
})

test('a client that can watch its own spending is given the least that is left of all budgets', () => {
  const repo = withClaude(
    { else: 'commit "$(date +%N).txt" a; result done' },
    {
      defaults: { max_attempts: 2 },
      config: {
        verify: { command: 'false' },
        budgets: { phase_usd: 5, task_usd: 0.6, day_usd: 10, phase_turns: 20, task_turns: 40, day_turns: 7 },
      },
    },
  )
  repo.add('one')
  repo.gza('work', '--no-base-check')
  const told = repo
    .calls()
    .map(({ arguments: words }) => [wordAfter(words, '--max-budget-usd'), wordAfter(words, '--max-turns')])
  expect(told).toEqual([
    ['0.6', '7'],
    ['0.35', '4'],
  ])
})

test('a client that reports its budget as spent is not a client with another error', () => {
  const act = `printf '{"type":"result","subtype":"error_max_budget_usd","is_error":true,"total_cost_usd":1.01}\\n'; exit 1`
  const config = { budgets: { phase_usd: 1.5 } }
  const repo = withClaude({ else: act }, { defaults: { max_attempts: 1 }, config })
  repo.add('one')
  repo.gza('work')
  expect(repo.task('1')).toMatchObject({ status: 'failed', runs: [{ reason: 'over-budget', cost_usd: 1.01 }] })
})

function wordAfter(words: readonly string[], flag: string): string | undefined {
  return words[words.indexOf(flag) + 1]
}
