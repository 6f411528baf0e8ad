/** The numbers as OpenMetrics text, for Prometheus and other scrapers. Names and labels are public. */
import type { Metrics } from '../../../reports/read-metrics.ts'

export function* renderOpenMetrics(metrics: Metrics): Iterable<string> {
  for (const family of familiesOf(metrics)) yield* familyLines(family)
  yield '# EOF'
}

interface Family {
  name: string
  type: 'gauge' | 'counter'
  /** The name ends with it. */
  unit?: 'seconds' | 'usd'
  help: string
  samples: Sample[]
}

interface Sample {
  labels?: Record<string, string>
  value: number
}

function familiesOf({ stats, tasks, running, queue, landed, pauses }: Metrics): Family[] {
  return [
    {
      ...gauge('gza_tasks', 'Tasks by status'),
      samples: Object.entries(tasks).map(([status, value]) => ({ labels: { status }, value })),
    },
    { ...gauge('gza_running_runs', 'Runs on this machine at this moment'), samples: [{ value: running }] },
    { ...counter('gza_runs', 'Runs by agent and outcome'), samples: runsOf(stats) },
    { ...counter('gza_tasks_landed', 'Tasks whose work has landed'), samples: [{ value: landed }] },
    ...spentOn(stats),
    {
      ...gauge('gza_queue_tasks', 'Finished tasks that have not landed, by why'),
      samples: queue.map(({ code, count }) => ({ labels: { code }, value: count })),
    },
    {
      ...gauge('gza_agent_pause_end_timestamp_seconds', 'When the pause of an agent at its usage limit ends'),
      unit: 'seconds',
      samples: pauses.map(({ agent, model, until }) => ({
        labels: { agent, model },
        value: Date.parse(until) / 1000,
      })),
    },
    ...dayOf(stats),
  ]
}

type Stats = Metrics['stats']

function runsOf({ by_agent }: Stats): Sample[] {
  return by_agent.flatMap(({ agent, completed, failed, interrupted, attempts }) => [
    { labels: { agent, outcome: 'completed' }, value: completed },
    { labels: { agent, outcome: 'failed' }, value: failed },
    { labels: { agent, outcome: 'interrupted' }, value: interrupted },
    { labels: { agent, outcome: 'unknown' }, value: attempts - completed - failed - interrupted },
  ])
}

function spentOn({ by_agent }: Stats): Family[] {
  const each = (read: (row: Stats['by_agent'][number]) => number): Sample[] =>
    by_agent.map((row) => ({ labels: { agent: row.agent }, value: read(row) }))
  // No sample where no cost was ever reported: a curve at 0 would say that the agent is free.
  const reported = by_agent.filter(({ cost_usd, attempts_without_cost }) => cost_usd > 0 || attempts_without_cost === 0)
  return [
    {
      ...counter('gza_cost_usd', 'Reported cost of runs by agent'),
      unit: 'usd',
      samples: reported.map(({ agent, cost_usd }) => ({ labels: { agent }, value: cost_usd })),
    },
    {
      ...counter('gza_runs_without_cost', 'Runs whose agent has worked without reporting a cost'),
      samples: each(({ attempts_without_cost }) => attempts_without_cost),
    },
    {
      ...counter('gza_tokens', 'Tokens by agent and direction'),
      samples: by_agent.flatMap(({ agent, tokens_in, tokens_out }) => [
        { labels: { agent, direction: 'in' }, value: tokens_in },
        { labels: { agent, direction: 'out' }, value: tokens_out },
      ]),
    },
    {
      ...counter('gza_run_seconds', 'Time of runs by agent'),
      unit: 'seconds',
      samples: each(({ seconds }) => seconds),
    },
    {
      ...counter('gza_verify_seconds', 'Time of checks within runs by agent'),
      unit: 'seconds',
      samples: each(({ verify_seconds }) => verify_seconds),
    },
    {
      ...counter('gza_review_cycles', 'Reviews within runs by agent'),
      samples: each(({ review_cycles }) => review_cycles),
    },
  ]
}

function dayOf({ today: { cost_usd, budget } }: Stats): Family[] {
  const some = (value: number | null): Sample[] => (value === null ? [] : [{ value }])
  return [
    {
      ...gauge('gza_day_cost_usd', 'Reported cost of today in all repositories of this user'),
      unit: 'usd',
      samples: [{ value: cost_usd }],
    },
    {
      ...gauge('gza_day_budget_usd', 'Budget of a day'),
      unit: 'usd',
      samples: some(budget.cost_usd),
    },
  ]
}

function gauge(name: string, help: string) {
  return { name, help, type: 'gauge' as const }
}

function counter(name: string, help: string) {
  return { name, help, type: 'counter' as const }
}

function* familyLines({ name, type, unit, help, samples }: Family): Iterable<string> {
  yield `# TYPE ${name} ${type}`
  if (unit !== undefined) yield `# UNIT ${name} ${unit}`
  yield `# HELP ${name} ${help}.`
  const sampleName = type === 'counter' ? `${name}_total` : name
  for (const { labels = {}, value } of samples) {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    yield `${sampleName}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
  }
}

/** A name from a configuration or from another machine may hold anything: a line break would begin another sample. */
function escaped(text: string): string {
  return text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
