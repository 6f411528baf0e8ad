import type { Stats } from '../../api/types.ts'
import { dollars } from './amounts.ts'
import { Figure, ShareBar } from './figures.tsx'

interface Bar {
  name: string
  value: number
  limit: number
  words: string
}

/** The budgets of the configuration, and how much of each is used. */
export function Budgets({ stats }: { stats: Stats }) {
  const bars = [...dayBars(stats), ...taskBars(stats)]
  if (bars.length === 0)
    return (
      <p class="why">
        No budget is configured. <code>budgets.day_usd</code> and <code>budgets.task_usd</code> in gza.yaml set one.
      </p>
    )
  return (
    <Figure
      title="Budgets"
      note="The day's budget counts what you have spent today in all repositories. Of tasks, those that have used the most."
      columns={['Budget', 'Used']}
      rows={bars.map(({ name, words }) => [name, words])}
    >
      <div class="shares">
        {bars.map(({ name, value, limit, words }) => (
          <ShareBar key={name} {...{ label: name, value, most: limit, words }} look={lookOf(value / limit)} />
        ))}
      </div>
    </Figure>
  )
}

function dayBars({ today: { cost_usd, turns, budget } }: Stats): Bar[] {
  // Nothing was reported: that may be an agent that reports no cost.
  const spent = cost_usd === 0 ? 'no cost reported' : dollars(cost_usd)
  return [
    ...(budget.cost_usd === null
      ? []
      : [bar('Today, cost', cost_usd, budget.cost_usd, `${spent} of ${dollars(budget.cost_usd)}`)]),
    ...(budget.turns === null ? [] : [bar('Today, turns', turns, budget.turns, `${turns} of ${budget.turns}`)]),
  ]
}

const MOST_TASKS = 5

function taskBars({ by_task, task_budget }: Stats): Bar[] {
  const limit = task_budget.cost_usd
  if (limit === null) return []
  return by_task
    .filter(({ cost_usd }) => cost_usd > 0)
    .toSorted((a, b) => b.cost_usd - a.cost_usd)
    .slice(0, MOST_TASKS)
    .map(({ number, title, cost_usd }) =>
      bar(`#${number} ${title}`, cost_usd, limit, `${dollars(cost_usd)} of ${dollars(limit)}`),
    )
}

function bar(name: string, value: number, limit: number, words: string): Bar {
  const share = limit === 0 ? 100 : Math.round((value / limit) * 100)
  return { name, value, limit, words: `${words} (${share} %)` }
}

function lookOf(share: number): string {
  return share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'one'
}
