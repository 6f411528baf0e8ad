import { expect, test } from 'bun:test'
import { commitFiles } from '../support/handmade-commits.ts'
import { aRepo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { parseOpenMetrics } from './open-metrics.ts'

test('stats --openmetrics prints valid text with tasks, runs, queue and time; an unknown cost has no sample', () => {
  const repo = anAgentRepo({ 'Break*': 'exit 3' }, { config: { budgets: { day_usd: 5 } } })
  for (const title of ['Write the parser', 'Write the lexer', 'Never started']) repo.add(title)
  repo.add('Break it', '--max-attempts', '1')
  repo.add('After it', '--after', '4')
  for (const number of ['1', '2', '4']) repo.gza('work', number)
  repo.gza('merge', '1')
  const { code, stdout, stderr } = repo.gza('stats', '--openmetrics')
  expect([code, stderr]).toEqual([0, ''])
  const families = parseOpenMetrics(stdout)
  const values = (name: string) =>
    families[name]?.samples.map(({ labels, value }) => [...Object.values(labels), value]) ?? null
  expect(values('gza_tasks')).toEqual([
    ['pending', 1],
    ['blocked', 1],
    ['in_progress', 0],
    ['failed', 1],
    ['completed', 2],
    ['skipped', 0],
  ])
  expect(values('gza_runs')).toEqual([
    ['scripted', 'completed', 2],
    ['scripted', 'failed', 1],
    ['scripted', 'interrupted', 0],
    ['scripted', 'unknown', 0],
  ])
  expect(values('gza_tasks_landed')).toEqual([[1]])
  expect(values('gza_queue_tasks')).toEqual([['READY', 1]])
  expect(values('gza_cost_usd')).toEqual([])
  expect(values('gza_runs_without_cost')).toEqual([['scripted', 3]])
  expect(values('gza_running_runs')).toEqual([[0]])
  expect(values('gza_day_budget_usd')).toEqual([[5]])
  expect(families.gza_run_seconds).toMatchObject({ type: 'counter', unit: 'seconds' })
  expect(Object.values(families).every(({ help }) => help.endsWith('.'))).toBe(true)
})

test('an agent with a hostile name stays one label', () => {
  const hostile = 'evil"} 9\n# EOF\ngza_tasks{status="pending\\'
  const times = { started_at: '2026-03-02T10:00:00Z', ended_at: '2026-03-02T10:01:00Z' }
  const run = { run: 'r1', attempt: 1, machine: 'box', agent: hostile, ...times, outcome: 'failed' }
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser')
  commitFiles(repo, { 'tasks.jsonl': (text) => `${JSON.stringify({ ...JSON.parse(text), runs: [run] })}\n` })
  const families = parseOpenMetrics(repo.gza('stats', '--openmetrics').stdout)
  expect(families.gza_runs?.samples.map(({ labels, value }) => [labels.agent, labels.outcome, value])).toContainEqual([
    ...[hostile, 'failed', 1],
  ])
  expect(families.gza_run_seconds?.samples).toEqual([
    { name: 'gza_run_seconds_total', labels: { agent: hostile }, value: 60 },
  ])
})

test('the formats exclude each other, and counters are never of a few days', () => {
  const repo = anAgentRepo({})
  for (const flags of [['--json'], ['--days', '7']]) {
    const { code, stdout, stderr } = repo.gza('stats', '--openmetrics', ...flags)
    expect(code).toBe(2)
    expect(stderr + stdout).toContain('--openmetrics cannot be combined')
  }
})
