import { printable } from '../text/printable.ts'

/** Escapes foreign text for XML: nothing in it is markup, and no character that XML forbids remains. */
export function escapeXml(text: string): string {
  return printable(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Cuts the text to this many columns of Latin letters. A wide character takes two. */
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

/** Hangul, where wide characters begin. A few narrow characters above it lose a little room. */
const FIRST_WIDE = 0x1100
