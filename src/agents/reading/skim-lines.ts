/**
 * Which lines of a flood a client's reader must see. In a flood, most lines are never decoded: to look for a few words in
 * the bytes of many lines at once is much faster than to read the lines one by one.
 */

/** Events are JSON. What clients print as plain text about limits, logins and retries contains one of the words. */
const SIGNS = [
  ...['{', 'imit', 'uota', 'exhausted', 'redit', 'API', 'ogged in', 'uth', 'ttempt', 'etry', ' again', 'rror'],
  ...['ession', 'onversation'],
]
const SIGN_BYTES = SIGNS.map((sign) => Buffer.from(sign))

/** Whether any of these lines may matter. */
export function mayMatter(lines: Uint8Array): boolean {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length)
  return SIGN_BYTES.some((sign) => bytes.includes(sign))
}

/** Whether a client's reader may find something in this line. */
export function matters(line: string): boolean {
  return /^\s*\{/.test(line) || (line.length <= LONGEST && ANY_WORD.test(line))
}

const ANY_WORD = new RegExp(SIGNS.slice(1).join('|'))

/** Readers take no plain text from a longer line. */
const LONGEST = 4000
