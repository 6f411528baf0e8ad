import { readFieldLabel } from '../plan-fields/field-names.ts'
import type { Outline } from './lines/outline-model.ts'
import type { PlanLine } from './lines/plan-lines.ts'

/** One task: its first line, and the indices of all lines below it that belong to no child. */
export interface Extent {
  first: number
  body: number[]
  /** The index of the parent in the list of extents. */
  parent: number | null
}

export function taskExtents({ lines }: Pick<Outline, 'lines'>, starts: ReadonlySet<number>): Extent[] {
  const extents: Extent[] = []
  const open: number[] = []
  let wasBlank = false
  for (const [at, line] of lines.entries()) {
    const isStart = starts.has(at)
    while (open.length > 0) {
      const { first } = extents[open.at(-1) as number] as Extent
      if (!ends(lines[first] as PlanLine, { line, wasBlank, isStart, isChild: open.length > 1 })) break
      open.pop()
    }
    const around = open.at(-1)
    if (isStart) {
      open.push(extents.length)
      extents.push({ first: at, body: [], parent: around ?? null })
    } else if (around !== undefined) extents[around]?.body.push(at)
    wasBlank = line.kind === 'blank'
  }
  return extents
}

interface NextLine {
  line: PlanLine
  wasBlank: boolean
  isStart: boolean
  isChild: boolean
}

/**
 * A heading ends what is at its level or deeper; an item also ends at a line that is not indented deeper than itself.
 */
function ends(first: PlanLine, { line, wasBlank, isStart, isChild }: NextLine): boolean {
  if (first.kind === 'heading') return line.kind === 'heading' && line.level <= first.level
  if (line.kind === 'heading') return true
  if (line.kind === 'blank' || line.indent > first.indent) return false
  if (isStart || wasBlank) return true
  // A line right below an item continues its paragraph, whatever its indentation.
  if (line.kind === 'text' || line.kind === 'verbatim') return false
  // Bullets right below a number, or fields right below a task, were meant to be indented.
  const isBelow = line.kind === 'item' && line.indent === first.indent && !isChild
  return !(isBelow && (belongsBelow(first, line) || readFieldLabel(line.text) !== null))
}

export function belongsBelow(first: PlanLine, line: PlanLine): boolean {
  return first.number !== null && line.number === null
}
