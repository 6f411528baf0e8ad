import { expect, test } from 'bun:test'
import { taskLine } from '../../../src/core/ledger/task-line.ts'
import type { Run } from '../../../src/core/task/task.ts'
import { taskWithPrefix } from '../../support/handmade-commits.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { anAgentRepo } from '../../support/scripted-agent.ts'

test('a cost that no client can mean, in a ledger from elsewhere, stops no task and makes no account infinite', () => {
  const repo = anAgentRepo({}, { config: { budgets: { task_usd: 5, day_usd: 10 } } })
  const run: Run = { run: 'r1', attempt: 1, machine: 'm', started_at: '2026-11-17T00:00:00Z', generation: 0 }
  const end = { ended_at: '2026-11-17T00:01:00Z', outcome: 'interrupted', cost_usd: 1e308, tokens_in: 1e308 }
  const runs = [1, 2].map((attempt) => ({ ...run, ...end, run: `r${attempt}`, attempt }))
  const stdin = `${taskLine({ ...taskWithPrefix('a', 1), runs })}\n`
  outputOf(repo.run(['gza', 'import', '-'], { stdin }))
  expect(JSON.parse(outputOf(repo.gza('stats', '--json'))).total).toMatchObject({ cost_usd: 0, tokens_in: 0 })
  expect(repo.gza('stats').stdout).not.toContain('Infinity')
  outputOf(repo.gza('work', '1'))
  expect(repo.task('1').status).toBe('completed')
})
