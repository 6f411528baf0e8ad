import type { Display } from './display.ts'
import { widthOf, wrapText } from './fit-to.ts'

// On a terminal that is too narrow, a line that is too long is more useful than a column of single words.
const NARROWEST = 12

/** The line, wrapped at words on a terminal. The lines after the first are indented. */
export function hangingLines(line: string, indent: number, { width }: Pick<Display, 'width'>): string[] {
  if (width === null || widthOf(line) <= width) return [line]
  const [lead = ''] = /^ */.exec(line) ?? []
  const [first = '', ...others] = wrapText(line.slice(lead.length), Math.max(NARROWEST, width - indent))
  return [lead + first, ...others.map((text) => ' '.repeat(indent) + text)]
}
