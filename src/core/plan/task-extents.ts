import type { PlanLine } from './plan-lines.ts'
import type { Outline } from './plan-outline.ts'

/** The lines of one task: its first, and its body up to `end`. Children begin where the parent's body ends. */
export interface Extent {
  first: number
  end: number
  /** The place of the parent in the list of extents. */
  parent: number | null
}

export function taskExtents({ lines }: Outline, starts: ReadonlySet<number>): Extent[] {
  const extents: Extent[] = []
  const open: number[] = []
  let wasBlank = false
  for (const [at, line] of lines.entries()) {
    closeEnded(lines, extents, open, { at, line, wasBlank, isStart: starts.has(at) })
    if (starts.has(at)) {
      const parent = open.at(-1) ?? null
      const around = parent === null ? undefined : extents[parent]
      if (around) around.end = Math.min(around.end, at)
      open.push(extents.length)
      extents.push({ first: at, end: lines.length, parent })
    }
    wasBlank = line.kind === 'blank'
  }
  return extents
}

interface Arrival {
  at: number
  line: PlanLine
  wasBlank: boolean
  isStart: boolean
}

function closeEnded(lines: readonly PlanLine[], extents: Extent[], open: number[], arrival: Arrival): void {
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const extent = extents[last] as Extent
    if (!ends(lines[extent.first] as PlanLine, arrival)) return
    extent.end = Math.min(extent.end, arrival.at)
    open.pop()
  }
}

/** A heading ends what is at its level or deeper; an item also ends where a line stands no further in than itself. */
function ends(first: PlanLine, { line, wasBlank, isStart }: Arrival): boolean {
  if (first.kind === 'heading') return line.kind === 'heading' && line.level <= first.level
  if (line.kind === 'heading') return true
  if (line.kind === 'blank' || line.indent > first.indent) return false
  // A line right below an item goes on with its paragraph, however far to the left it stands.
  return isStart || wasBlank || line.kind !== 'text'
}
