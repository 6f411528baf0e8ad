import { oneLine } from './one-line.ts'
import { printable } from './printable.ts'

/** At most `longest` characters; a longer text ends with an ellipsis. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text
  // A character takes up to two units: the rest of a long text need not be divided.
  const characters = [...text.slice(0, 2 * longest + 2)]
  return characters.length <= longest ? text : endWithEllipsis(characters.slice(0, longest - 1).join(''))
}

/** The same with a limit in UTF-16 units, for budgets and programs that count those. */
export function shortenToUnits(text: string, longest: number): string {
  return text.length <= longest ? text : endWithEllipsis(wholeCharacters(text, longest - 1))
}

/** The beginning of a text, without half of a character that takes two units. */
export function wholeCharacters(text: string, units: number): string {
  return text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '')
}

/** Text from others as messages show it: one short line that is safe to print. */
export function briefText(text: string, longest = 60): string {
  // Cut before it is cleaned: it may contain megabytes.
  return shorten(printable(oneLine(text.trim().slice(0, Math.max(1000, 4 * longest)))), longest)
}

function endWithEllipsis(start: string): string {
  return `${start.trimEnd()}…`
}
