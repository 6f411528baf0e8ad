import type { Display } from './display.ts'

/** The columns that a text takes on a terminal. Wide characters take two. */
export function widthOf(text: string): number {
  return Bun.stringWidth(text)
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The text, cut so that it fits on a line of the terminal with `others` more columns. Without a terminal it is not cut. */
export function fitTo(text: string, others: number, display: Display): string {
  if (display.width === null) return text
  return cutTo(text, Math.max(SHORTEST, display.width - others))
}

// On a terminal that is too narrow, a wrapped line is more useful than an ellipsis.
const SHORTEST = 12

/** The text in at most this many columns. */
export function cutTo(text: string, columns: number): string {
  return widthOf(text) <= columns ? text : `${cut(text, columns - 1)}…`
}

function cut(text: string, columns: number): string {
  let used = 0
  let end = 0
  for (const character of text) {
    used += widthOf(character)
    if (used > columns) break
    end += character.length
  }
  return text.slice(0, end)
}

/** The words of the text on lines of at most this many columns. A word that is longer has a line of its own. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line === '') line = word
    else if (widthOf(line) + 1 + widthOf(word) <= columns) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}
