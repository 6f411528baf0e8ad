import { useResource } from '../../api/resource.ts'
import type { Stats } from '../../api/types.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Shown } from '../../parts/states.tsx'
import { pathTo, route } from '../../route.ts'
import { costWords, shareWords, timeWords, tokenWords } from './amounts.ts'
import { Budgets } from './budgets.tsx'
import { ByDay } from './by-day.tsx'
import { ByAgentAndType, Quality, TimeSpent } from './groups.tsx'

const RANGES = [
  { days: '7', title: '7 days' },
  { days: '30', title: '30 days' },
  { days: '', title: 'All' },
] as const

export function NumbersView({ repository }: { repository: string }) {
  const asked = route.value.query.get('days')
  const days = RANGES.find((range) => range.days === asked)?.days ?? (asked === 'all' ? '' : '30')
  const read = useResource<Stats>(repository, days === '' ? 'stats' : `stats?days=${days}`)
  return (
    <section class="numbers">
      <div class="bar">
        <h1>Numbers</h1>
        <nav class="ranges" aria-label="Range">
          {RANGES.map(({ days: each, title }) => (
            <Link
              key={each}
              to={`${pathTo(repository, 'numbers')}?days=${each === '' ? 'all' : each}`}
              class="range"
              current={each === days}
            >
              {title}
            </Link>
          ))}
        </nav>
        <button type="button" class="quiet" onClick={() => print()}>
          Print
        </button>
      </div>
      <Shown read={read.value} empty={(stats) => (isEmpty(stats) ? <NoRuns days={days} /> : null)}>
        {(stats) => (
          <>
            <Headline stats={stats} />
            <Budgets stats={stats} />
            <ByDay stats={stats} />
            <ByAgentAndType stats={stats} />
            <Quality stats={stats} />
            <TimeSpent stats={stats} />
          </>
        )}
      </Shown>
    </section>
  )
}

function isEmpty({ total, by_day }: Stats): boolean {
  return total.attempts === 0 && by_day.length === 0
}

function NoRuns({ days }: { days: string }) {
  return days === '' ? (
    <Empty title="No agent has run yet" />
  ) : (
    <Empty title={`No agent has run in the last ${days} days`} />
  )
}

function Headline({ stats: { total, by_day } }: { stats: Stats }) {
  const landed = by_day.reduce((sum, { landed_count }) => sum + landed_count, 0)
  const facts: [name: string, value: string][] = [
    ['Cost', costWords(total)],
    ['Tokens', tokenWords(total)],
    ['Landed', String(landed)],
    ['Runs', `${total.attempts}, ${total.failed} failed`],
    ['First try', shareWords(total.first_try_completed, total.first_attempts)],
    ['Time', timeWords(total.seconds)],
  ]
  return (
    <dl class="headline">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
