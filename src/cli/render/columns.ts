import { printable } from '../../core/text/printable.ts'
import type { Display } from '../terminal/display.ts'
import { cutTo, padTo, widthOf } from '../terminal/fit-to.ts'

/**
 * Rows of cells. On a terminal in columns under their names, no wider than it. Otherwise for programs: a line for each
 * row, with tabs between the cells and nothing else.
 */
export function* renderColumns(
  names: readonly string[],
  rows: Iterable<readonly string[]>,
  display: Display,
): Iterable<string> {
  if (display.width !== null) yield* renderAligned(names, [...rows], display)
  else for (const cells of rows) yield cells.join('\t')
}

/** In columns under their names, on a terminal no wider than it. Nothing without rows. */
export function* renderAligned(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  display: Display,
): Iterable<string> {
  if (rows.length === 0) return
  const widths = fittingWidths(
    names.map((name, at) => rows.reduce((most, cells) => Math.max(most, widthOf(cells[at] ?? '')), widthOf(name))),
    display.width,
  )
  yield display.style.bold(joinCells(names, widths))
  for (const cells of rows) yield joinCells(cells, widths)
}

const GAP = '  '
const NARROWEST = 8

/** The widest columns give up what the terminal has no room for. */
function fittingWidths(widths: readonly number[], room: number | null): readonly number[] {
  const gaps = GAP.length * (widths.length - 1)
  const limited = (most: number) => widths.map((width) => Math.min(width, most))
  const total = (all: readonly number[]) => all.reduce((sum, width) => sum + width, gaps)
  if (room === null || total(widths) <= room) return widths
  let most = Math.max(...widths)
  while (most > NARROWEST && total(limited(most)) > room) most--
  return limited(most)
}

function joinCells(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, at) => padTo(cutTo(cell, widths[at] ?? 0), widths[at] ?? 0))
    .join(GAP)
    .trimEnd()
}

/** A value on one line. Lists have commas, and another task is its number. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every(isShort)) return value.map(cellText).join(', ')
  if (typeof value !== 'object') return printable(String(value))
  return 'number' in value && 'title' in value ? `#${value.number}` : printable(JSON.stringify(value))
}

function isShort(value: unknown): boolean {
  return typeof value !== 'object' || (value !== null && 'number' in value && 'title' in value)
}
