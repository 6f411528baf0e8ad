import type { Stats, Totals } from '../../api/types.ts'
import { costWords, shareWords, timeWords, tokenCells, tokenWords } from './amounts.ts'
import { Figure, ShareBar } from './figures.tsx'

interface Props {
  stats: Stats
}

type Named = Totals & { name: string }

/** Cost and tokens by agent and by type of task. */
export function ByAgentAndType({ stats: { by_agent, by_type } }: Props) {
  return (
    <div class="side-by-side">
      <Group title="By agent" rows={by_agent.map((row) => ({ name: row.agent, ...row }))} />
      <Group title="By type of task" rows={by_type.map((row) => ({ name: row.type, ...row }))} />
    </div>
  )
}

function Group({ title, rows }: { title: string; rows: readonly Named[] }) {
  const tokens = ({ tokens_in, tokens_out }: Totals) => tokens_in + tokens_out
  const most = Math.max(...rows.map(tokens), 1)
  const dearest = Math.max(...rows.map(({ cost_usd }) => cost_usd), 0)
  return (
    <Figure
      title={title}
      columns={['Name', 'Tasks', 'Runs', 'Completed', 'Failed', 'Time', 'Tokens in', 'Tokens out', 'Cost']}
      rows={rows.map((row) => [
        row.name,
        ...[row.task_count, row.attempts, row.completed, row.failed, timeWords(row.seconds)],
        ...[...tokenCells(row), costWords(row)],
      ])}
    >
      <h3>Cost</h3>
      <div class="shares">
        {rows.map((row) => (
          <ShareBar
            key={row.name}
            {...{ label: row.name, value: row.cost_usd, most: dearest, words: costWords(row) }}
          />
        ))}
      </div>
      <h3>Tokens</h3>
      <div class="shares">
        {rows.map((row) => (
          <ShareBar
            key={row.name}
            {...{ label: row.name, value: tokens(row), most, words: tokenWords(row), look: 'two' }}
          />
        ))}
      </div>
    </Figure>
  )
}

/** How well agents and models do. */
export function Quality({ stats: { by_model } }: Props) {
  return (
    <Figure
      isOpen
      title="Quality by agent and model"
      note="First try: tasks that their first run completed, without another run after it."
      columns={['Agent', 'Model', 'First try', 'Runs for each task', 'Reviews for each task', 'Failed runs']}
      rows={by_model.map((row) => [
        row.agent,
        row.model ?? 'chosen by the client',
        shareWords(row.first_try_completed, row.first_attempts),
        each(row.attempts, row.task_count),
        each(row.review_cycles, row.task_count),
        shareWords(row.failed, row.attempts),
      ])}
    />
  )
}

function each(count: number, tasks: number): string {
  return tasks === 0 ? '–' : (count / tasks).toFixed(1)
}

/** Where the time of tasks goes. */
export function TimeSpent({ stats: { time } }: Props) {
  const parts: [name: string, seconds: number, look: string][] = [
    ['Working', time.working_seconds, 'one'],
    ['Verifying', time.verifying_seconds, 'two'],
    ['Waiting for the first run', time.waiting_to_start_seconds, 'dim'],
    ['Waiting for another run', time.waiting_to_retry_seconds, 'dim'],
    ['Waiting to land', time.waiting_to_land_seconds, 'dim'],
  ]
  const most = Math.max(...parts.map(([, seconds]) => seconds), 1)
  return (
    <Figure
      title="Where the time goes"
      note="Of all tasks together. Tasks wait side by side, so this is more than the time that has passed."
      columns={['Part', 'Time']}
      rows={parts.map(([name, seconds]) => [name, timeWords(seconds)])}
    >
      <div class="shares">
        {parts.map(([name, seconds, look]) => (
          <ShareBar key={name} {...{ label: name, value: seconds, most, words: timeWords(seconds), look }} />
        ))}
      </div>
    </Figure>
  )
}
