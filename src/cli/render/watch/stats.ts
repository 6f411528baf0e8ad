import type { RunTotals } from '../../../core/run/run-totals.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Stats } from '../../../reports/read-stats.ts'
import type { Display } from '../../terminal/display.ts'
import { cutTo, padTo, widthOf, wrapText } from '../../terminal/fit-to.ts'
import { costWords, dollars, elapsed, shortCount } from '../amounts.ts'

/** All runs together, then by type, by agent and by task, in the same columns. */
export function* renderStats(stats: Stats, display: Display): Iterable<string> {
  if (stats.total.attempts === 0) return
  const rows = rowsOf(stats)
  const widths = HEADER.map((title, at) => Math.max(title.length, ...rows.map(({ cells }) => cells[at]?.length ?? 0)))
  const numbers = widths.reduce((sum, width) => sum + width + 2, 0)
  if (display.width !== null && display.width < NARROWEST + numbers) {
    yield* rows.flatMap((row) => narrowLines(row, display, display.width ?? 0))
    for (const text of endLines(stats)) yield* wrapText(text, display.width ?? 0)
    return
  }
  const nameWidth = nameColumn(rows, widths, display)
  yield display.style.bold(line('', HEADER, nameWidth, widths))
  for (const { name, state = '', cells, heading } of rows) {
    const text = line(cutTo(name, nameWidth - widthOf(state)) + state, cells, nameWidth, widths)
    yield heading ? display.style.bold(text) : text
  }
  yield* endLines(stats)
}

function* endLines(stats: Stats): Iterable<string> {
  yield firstTryLine(stats)
  yield timeLine(stats)
  yield* todayLine(stats)
}

/** Only of tasks whose first run has ended. */
function firstTryLine({ total: { first_attempts, first_try_completed, review_cycles } }: Stats): string {
  const tries = `completed at the first try: ${first_try_completed} of ${plural(first_attempts, 'task')}`
  return review_cycles === 0 ? tries : `${tries}; ${plural(review_cycles, 'review')} within runs`
}

function timeLine({ time }: Stats): string {
  const { working_seconds, verifying_seconds } = time
  const waiting = time.waiting_to_start_seconds + time.waiting_to_retry_seconds + time.waiting_to_land_seconds
  return `time: ${elapsed(working_seconds)} working, ${elapsed(verifying_seconds)} verifying, ${elapsed(waiting)} waiting`
}

/** The name, and below it the numbers in words: on a narrow terminal columns would wrap. */
function narrowLines({ name, state = '', cells, heading }: Row, { style }: Display, width: number): string[] {
  const title = cutTo(name, width - widthOf(state)) + state
  if (heading) return [style.bold(title)]
  const words = cells.flatMap((cell, at) => (cell === '' ? [] : [inWords(cell, at)])).join(', ')
  const indent = ' '.repeat(name.length - name.trimStart().length + 2)
  return [title, ...wrapText(words, width - indent.length).map((line) => indent + line)]
}

function inWords(cell: string, at: number): string {
  if (at < 2) return plural(Number(cell), at === 0 ? 'task' : 'attempt')
  return at === 2 ? `${cell} failed` : at === 4 ? `${cell} tokens` : cell
}

/** Printed only if the day has a budget: all repositories of this user share it. */
function* todayLine({ today: { cost_usd, turns, budget } }: Stats): Iterable<string> {
  const amounts = [
    ...(budget.cost_usd === null
      ? []
      : [`${cost_usd === 0 ? 'no cost reported' : dollars(cost_usd)} of ${dollars(budget.cost_usd)}`]),
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

function rowsOf({ total, by_type, by_agent, by_model, by_task }: Stats): Row[] {
  const models = by_model.filter(({ model }) => model !== null)
  const heading = (name: string): Row => ({ name, cells: [], heading: true })
  return [
    { name: 'total', cells: cellsOf(total.task_count, total) },
    heading('by type'),
    ...by_type.map((row) => ({ name: `  ${row.type}`, cells: cellsOf(row.task_count, row) })),
    heading('by agent'),
    ...by_agent.map((row) => ({ name: `  ${printable(row.agent)}`, cells: cellsOf(row.task_count, row) })),
    ...(models.length === 0 ? [] : [heading('by model')]),
    ...models.map((row) => ({ name: `  ${printable(row.model ?? '')}`, cells: cellsOf(row.task_count, row) })),
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
