import type { Stats } from '../../api/types.ts'
import { costWords, dollars, lacksTokens, shortCount, tokenCells } from './amounts.ts'
import { DayChart } from './day-chart.tsx'
import { Figure } from './figures.tsx'

type Day = Stats['by_day'][number]

/** Cost, tokens and throughput by day. Days on which nothing happened have their place too. */
export function ByDay({ stats: { by_day, days } }: { stats: Stats }) {
  const names = everyDay(by_day, days)
  const known = new Map(by_day.map((row) => [row.day, row]))
  const value = (read: (day: Day) => number) => (row: number) => {
    const day = known.get(names[row] ?? '')
    return day === undefined ? 0 : read(day)
  }
  const newestFirst = by_day.toReversed()
  return (
    <div class="side-by-side">
      <Figure
        title="Cost by day"
        note={
          by_day.some(lacksCost) ? 'A question mark: runs of that day reported no cost, so it is unknown.' : undefined
        }
        columns={['Day', 'Cost', 'Runs', 'Runs without a cost']}
        rows={newestFirst.map((row) => [row.day, costWords(row), row.attempts, row.attempts_without_cost])}
      >
        <DayChart
          {...{ title: 'Cost by day', days: names, format: dollars }}
          series={[{ name: 'Cost', look: 'one', amountOf: value(({ cost_usd }) => cost_usd) }]}
          isUnknown={(row) => value(({ attempts_without_cost }) => attempts_without_cost)(row) > 0}
        />
      </Figure>
      <Figure
        title="Tokens by day"
        note={by_day.some(lacksTokens) ? 'A question mark: runs of that day reported no tokens.' : undefined}
        legend={[
          { name: 'in', look: 'one' },
          { name: 'out', look: 'two' },
        ]}
        columns={['Day', 'In', 'Out']}
        rows={newestFirst.map((row) => [row.day, ...tokenCells(row)])}
      >
        <DayChart
          {...{ title: 'Tokens by day', days: names, format: shortCount }}
          series={[
            { name: 'in', look: 'one', amountOf: value(({ tokens_in }) => tokens_in) },
            { name: 'out', look: 'two', amountOf: value(({ tokens_out }) => tokens_out) },
          ]}
          isUnknown={(row) => value((day) => Number(lacksTokens(day)))(row) > 0}
        />
      </Figure>
      <Figure
        title="Tasks landed by day"
        columns={['Day', 'Landed', 'Finished']}
        rows={newestFirst.map(({ day, landed_count, finished_count }) => [day, landed_count, finished_count])}
      >
        <DayChart
          {...{
            title: 'Tasks landed by day',
            days: names,
            format: (count) => (Number.isInteger(count) ? String(count) : ''),
          }}
          series={[{ name: 'landed', look: 'one', amountOf: value(({ landed_count }) => landed_count) }]}
        />
      </Figure>
    </div>
  )
}

function lacksCost({ attempts_without_cost }: Day): boolean {
  return attempts_without_cost > 0
}

/** More bars than this are too thin to see. */
const MOST_DAYS = 366

/** From the first day with something, or the first of the range, to today. */
function everyDay(by_day: readonly Day[], days: number | null): string[] {
  const now = new Date()
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const back = (count: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - count)
  const first = by_day[0]?.day ?? nameOf(today)
  const last = by_day.at(-1)?.day ?? ''
  const names: string[] = []
  for (let count = 0; count < (days ?? MOST_DAYS); count++) {
    const name = nameOf(back(count))
    if (days === null && name < first && count >= 7) break
    names.unshift(name)
  }
  // The server may already be in the next day.
  return last > (names.at(-1) ?? '') ? [...names.slice(1), last] : names
}

function nameOf(day: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
