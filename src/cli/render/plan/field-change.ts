import { printable } from '../../../core/text/printable.ts'
import { shorten } from '../../../core/text/shorten.ts'

/** The old and the new value of a field: for a list what was added and removed, for a long text where it differs. */
export function fieldChange({ field, from, to }: { field: string; from: unknown; to: unknown }): string {
  if (Array.isArray(from ?? to) && Array.isArray(to ?? from)) return `${field}: ${listChange(from ?? [], to ?? [])}`
  const [before, after] = partingTexts(textOf(from), textOf(to))
  return `${field}: ${brief(before)} → ${brief(after)}`
}

/** The value of a field, short enough for one line. */
export function shortValue(value: unknown): string {
  return brief(textOf(value))
}

function listChange(from: unknown, to: unknown): string {
  const [before, after] = [(from as unknown[]).map(textOf), (to as unknown[]).map(textOf)]
  const come = after.filter((each) => !before.includes(each)).map((each) => `+ ${brief(each)}`)
  const gone = before.filter((each) => !after.includes(each)).map((each) => `- ${brief(each)}`)
  const changes = [...come, ...gone]
  if (changes.length === 0) return 'the same values in another order or number'
  const shown = changes.slice(0, MOST_SHOWN)
  return [...shown, ...(changes.length > shown.length ? [`${changes.length - shown.length} more`] : [])].join(', ')
}

const MOST_SHOWN = 6

/** Without the common beginning, if that alone would fill the line. */
function partingTexts(before: string, after: string): [string, string] {
  let shared = 0
  while (shared < before.length && before[shared] === after[shared]) shared++
  const start = before.lastIndexOf(' ', shared - CONTEXT)
  if (shared < WIDTH - CONTEXT || start <= 0) return [before, after]
  return [`…${before.slice(start + 1)}`, `…${after.slice(start + 1)}`]
}

const WIDTH = 60
const CONTEXT = 15

function brief(text: string): string {
  return printable(shorten(text, WIDTH))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? 'nothing' : JSON.stringify(value)
}
