import type { RunTotals } from '../../../core/run/run-totals.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Stats } from '../../../reports/read-stats.ts'
import type { Display } from '../../terminal/display.ts'
import { cutTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import { costWords, dollars, elapsed, shortCount } from '../amounts.ts'

/** All runs together, then by type, by agent and by task, in the same columns. */
export function* renderStats(stats: Stats, display: Display): Iterable<string> {
  if (stats.total.attempts === 0) return
  const rows = rowsOf(stats)
  const widths = HEADER.map((title, at) => Math.max(title.length, ...rows.map(({ cells }) => cells[at]?.length ?? 0)))
  const nameWidth = nameColumn(rows, widths, display)
  yield display.style.bold(line('', HEADER, nameWidth, widths))
  for (const { name, state = '', cells, heading } of rows) {
    const text = line(cutTo(name, nameWidth - widthOf(state)) + state, cells, nameWidth, widths)
    yield heading ? display.style.bold(text) : text
  }
  yield* todayLine(stats)
}

/** Printed only if the day has a budget: all repositories of this user share it. */
function* todayLine({ today: { usd, turns, budget } }: Stats): Iterable<string> {
  const amounts = [
    ...(budget.usd === null ? [] : [`${usd === 0 ? 'no cost reported' : dollars(usd)} of ${dollars(budget.usd)}`]),
    ...(budget.turns === null ? [] : [`${turns} of ${plural(budget.turns, 'turn')}`]),
  ]
  if (amounts.length > 0) yield `today, in all repositories: ${amounts.join(', ')}`
}

const HEADER = ['tasks', 'attempts', 'failed', 'time', 'tokens', 'cost']

interface Row {
  name: string
  /** Follows the name and is never cut. */
  state?: string
  cells: string[]
  heading?: true
}

function rowsOf({ total, by_type, by_agent, by_task }: Stats): Row[] {
  const heading = (name: string): Row => ({ name, cells: [], heading: true })
  return [
    { name: 'total', cells: cellsOf(total.tasks, total) },
    heading('by type'),
    ...by_type.map((row) => ({ name: `  ${row.type}`, cells: cellsOf(row.tasks, row) })),
    heading('by agent'),
    ...by_agent.map((row) => ({ name: `  ${printable(row.agent)}`, cells: cellsOf(row.tasks, row) })),
    heading('by task'),
    ...by_task.map(taskRow),
  ]
}

function taskRow(row: Stats['by_task'][number]): Row {
  const state = row.deleted ? ' (deleted)' : row.status === 'completed' ? '' : ` (${row.status})`
  return { name: `  #${row.number} ${printable(row.title)}`, state, cells: cellsOf(null, row) }
}

function cellsOf(tasks: number | null, totals: RunTotals): string[] {
  const { attempts, failed, seconds, tokens_in, tokens_out, cost_usd, attempts_without_cost } = totals
  return [
    tasks === null ? '' : String(tasks),
    String(attempts),
    String(failed),
    elapsed(seconds),
    shortCount(tokens_in + tokens_out),
    costWords({ usd: cost_usd, isUnknown: attempts_without_cost > 0 }),
  ]
}

const NARROWEST = 20

/** As wide as the longest name, or as the terminal allows beside the numbers. */
function nameColumn(rows: readonly Row[], widths: readonly number[], display: Display): number {
  const widest = Math.max(...rows.map(({ name, state = '' }) => widthOf(name + state)))
  if (display.width === null) return widest
  const numbers = widths.reduce((sum, width) => sum + width + 2, 0)
  return Math.max(NARROWEST, Math.min(widest, display.width - numbers))
}

function line(name: string, cells: readonly string[], nameWidth: number, widths: readonly number[]): string {
  const numbers = cells.map((cell, at) => cell.padStart(widths[at] ?? 0))
  return [padTo(name, nameWidth), ...numbers].join('  ').trimEnd()
}
