import type { Output, OutputLine } from '../../api/types.ts'

/** What the page keeps of one run's output. */
export interface Kept {
  lines: readonly OutputLine[]
  /** Where the next reading begins. */
  next: string
  /** Something before the first line is not shown. */
  hasGap: boolean
  /** Everything was read, and nothing will follow. */
  isOver: boolean
  characters: number
  /** The number of the first line, so that a line keeps its element while others go. */
  first: number
}

export const NOTHING: Kept = { lines: [], next: '', hasGap: false, isOver: false, characters: 0, first: 0 }

/** An agent may print for hours: of each run, this much stays in the page. */
const MOST_LINES = 1000
const MOST_CHARACTERS = 400_000

/** The output so far with what has come. The oldest lines go when it is too much. */
export function joinOutput(kept: Kept, { lines, next, has_gap, ended }: Output): Kept {
  const isOver = ended && lines.length === 0
  if (lines.length === 0 && next === kept.next) return isOver === kept.isOver ? kept : { ...kept, isOver }
  const all = [...kept.lines, ...lines]
  let characters = kept.characters + lines.reduce((sum, line) => sum + sizeOf(line), 0)
  let dropped = Math.max(0, all.length - MOST_LINES)
  for (const line of all.slice(0, dropped)) characters -= sizeOf(line)
  while (characters > MOST_CHARACTERS && dropped < all.length - 1) {
    characters -= sizeOf(all[dropped] as OutputLine)
    dropped += 1
  }
  return {
    lines: all.slice(dropped),
    next,
    hasGap: kept.hasGap || has_gap || dropped > 0,
    isOver,
    characters,
    first: kept.first + dropped,
  }
}

function sizeOf({ line, events }: OutputLine): number {
  return (line?.length ?? 0) + events.reduce((sum, event) => sum + textLength(event), 0)
}

function textLength(event: OutputLine['events'][number]): number {
  return Object.values(event).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}
