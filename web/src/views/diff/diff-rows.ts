import type { LineComment } from '../../api/types.ts'
import type { DiffLine } from './parse-diff.ts'

/** One row of a diff: a line, or what was before and what is there now beside each other. */
export type DiffRow = [left: DiffLine | null, right: DiffLine | null]

/** What was removed beside what was added in its place. */
export function pairedRows(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = []
  let open = 0
  for (const line of lines) {
    if (line.kind === 'removed') rows.push([line, null])
    else if (line.kind === 'added') {
      while (open < rows.length && rows[open]?.[1] !== null) open++
      if (open < rows.length) (rows[open] as DiffRow)[1] = line
      else rows.push([null, line])
    } else {
      rows.push([line, line])
      open = rows.length
    }
  }
  return rows
}

export type Side = LineComment['side']

/** The side and number by which a comment names the line; null: nobody can comment on it. */
export function nameOfLine({ kind, before, after }: DiffLine): { side: Side; line: number } | null {
  if (kind === 'removed') return before === null ? null : { side: 'old', line: before }
  return after === null ? null : { side: 'new', line: after }
}

/** The index of the line that a comment belongs to; null: the diff no longer has it. */
export function placeOf(lines: readonly DiffLine[], comment: Placed, isSameCommit: boolean): number | null {
  const { side, end_line, quote } = comment
  const numberOf = ({ before, after }: DiffLine) => (side === 'old' ? before : after)
  if (isSameCommit) return orNull(lines.findIndex((line) => numberOf(line) === end_line))
  // Lines have moved since: the nearest one that says the same is taken for it.
  const said = quote.at(-1)?.trimEnd()
  let best: { at: number; distance: number } | null = null
  for (const [at, line] of lines.entries()) {
    const number = numberOf(line)
    if (number === null || said === undefined || line.text.trimEnd() !== said) continue
    const distance = Math.abs(number - end_line)
    if (best === null || distance < best.distance) best = { at, distance }
  }
  return best?.at ?? null
}

type Placed = Pick<LineComment, 'side' | 'end_line' | 'quote'>

function orNull(at: number): number | null {
  return at === -1 ? null : at
}
