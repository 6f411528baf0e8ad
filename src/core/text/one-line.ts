/** The text on one line: each run of line breaks and blanks becomes one space. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(BLANKS, ' ').trim()
}

// No-break spaces stay: they are part of ordinary French, and have no meaning in markdown.
const BLANKS = /[\t\n\v\f\r \u0085\u2028\u2029]+/g
