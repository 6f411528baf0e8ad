import { printable } from '../../../core/text/printable.ts'
import type { Display } from '../../terminal/display.ts'
import { padTo, widthOf } from '../../terminal/fit-to.ts'

/** The rows of a query in aligned columns under their names; nothing if there are none. */
export function* renderTable(rows: readonly Record<string, unknown>[], display: Display): Iterable<string> {
  const names = Object.keys(rows[0] ?? {})
  if (names.length === 0) return
  const cells = rows.map((row) => names.map((name) => cell(row[name])))
  const header = names.map((name) => printable(name))
  const widths = header.map((name, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), widthOf(name)),
  )
  yield display.style.bold(join(header, widths))
  for (const row of cells) yield join(row, widths)
}

function join(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((text, at) => padTo(text, widths[at] ?? 0))
    .join('  ')
    .trimEnd()
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
