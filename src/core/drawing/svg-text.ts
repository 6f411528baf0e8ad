import { printable } from '../text/printable.ts'

/** Text of others within XML: nothing in it is markup, and nothing in it is a character that XML forbids. */
export function escapeXml(text: string): string {
  return printable(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** As much as fits into so many columns of Latin letters, of which a wide character takes two. */
export function cutText(text: string, columns: number): string {
  let used = 0
  let end = 0
  for (const character of text) {
    used += (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1
    if (used > columns) return `${text.slice(0, end).trimEnd()}…`
    if (used < columns) end += character.length
  }
  return text
}

/** Hangul, where wide characters begin. A few narrow ones above it lose a little room. */
const FIRST_WIDE = 0x1100
