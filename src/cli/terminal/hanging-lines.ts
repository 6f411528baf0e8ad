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

/** A field with its name in front of it. Its first line is continued where its further lines begin. */
export function wrapField(text: string, indent: number, display: Pick<Display, 'width'>): string {
  const end = text.indexOf('\n')
  const first = hangingLines(end < 0 ? text : text.slice(0, end), indent, display).join('\n')
  return end < 0 ? first : first + wrapLines(text.slice(end), display)
}

/**
 * A text of several lines, wrapped at words on a terminal. What continues an entry of a list begins below its words. Code
 * between fences stays as it is: it may be copied.
 */
export function wrapLines(text: string, { width }: Pick<Display, 'width'>): string {
  if (width === null) return text
  let fence: string | null = null
  const wrapped = text.split('\n').flatMap((line) => {
    const [, mark = null] = FENCE.exec(line) ?? []
    const isCode = fence !== null || mark !== null
    if (fence === null) fence = mark
    else if (mark === fence) fence = null
    return isCode || widthOf(line) <= width ? [line] : wrapEntry(line, width)
  })
  return wrapped.join('\n')
}

function wrapEntry(line: string, width: number): string[] {
  const [lead = ''] = LEAD.exec(line) ?? []
  const [first, ...others] = wrapText(line.slice(lead.length), Math.max(NARROWEST, width - lead.length))
  return [`${lead}${first}`, ...others.map((text) => ' '.repeat(lead.length) + text)]
}

const FENCE = /^ *(```|~~~)/
const LEAD = /^ *(?:[-*+] (?:\[.\] )?|\d{1,3}[.)] |> )?/
