import { summarize } from './statistics.ts'
import { count, milliseconds, renderTable } from './table.ts'

/** One line of the table. A row without a target is there for information. */
export interface Row {
  what: string
  tasks: number | null
  value: string
  spread: string
  n: number
  ratio: string
  target: string
  reached: boolean | null
}

const HEAD = ['what', 'tasks', 'median', 'middle half', 'n', 'ratio', 'target', 'reached']

export function renderRows(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.tasks === null ? '' : count(row.tasks),
    row.value,
    row.spread,
    String(row.n),
    row.ratio,
    row.target,
    row.reached === null ? '' : row.reached ? 'yes' : 'NO',
  ])
  return `${renderTable(HEAD, cells)}\n\n${tally(rows)}`
}

function tally(rows: readonly Row[]): string {
  const judged = rows.filter(({ reached }) => reached !== null)
  return `${judged.filter(({ reached }) => reached).length} of ${judged.length} targets reached.`
}

/** The common part of a row that was measured `n` times. */
export function measured(values: readonly number[], print: (value: number) => string = milliseconds) {
  const { median, low, high, n } = summarize(values)
  return { value: print(median), spread: `${print(low)} – ${print(high)}`, n }
}

export const NO_TARGET = { ratio: '', target: '', reached: null }
