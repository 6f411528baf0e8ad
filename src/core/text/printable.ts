/**
 * Makes text from others safe to show. A terminal obeys control characters, and bidi overrides make text look different
 * from what it is, so each of them becomes an escape; everything else stays unchanged.
 *
 * `multiline` keeps newlines and tabs, which blocks of text need; a list line keeps neither.
 */
export function printable(text: string, options: { multiline?: boolean } = {}): string {
  return text.replace(options.multiline ? UNSAFE_IN_BLOCK : UNSAFE_IN_LINE, escapeCharacter)
}

/** A JSON text with the same characters as `\u` escapes: it still parses to the same value. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE_IN_BLOCK, (character) => `\\u${hex(character, 4)}`)
}

const HIDDEN = '\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069'
const UNSAFE_IN_LINE = new RegExp(`[\\u0000-\\u001f${HIDDEN}]`, 'g')
const UNSAFE_IN_BLOCK = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${HIDDEN}]`, 'g')

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeCharacter(character: string): string {
  const short = SHORT[character]
  if (short !== undefined) return short
  return character <= '\u00ff' ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0')
}
