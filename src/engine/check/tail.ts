import { plainLine } from '../../core/run/count-tests.ts'
import { printable } from '../../core/text/printable.ts'
import type { Redact } from '../guard/redact.ts'

const MOST_LINES = 60
const LONGEST_LINE = 400
const MOST_CHARACTERS = 6000

export interface Tail {
  add(line: string): void
  /** A headline and, below it, the last lines: printable, and always short. */
  under(headline: string): string
}

/** Keeps the end of an output of any length, without secrets, because it is stored in the ledger, which is pushed. */
export function keepTail(redact: Redact): Tail {
  const lines: string[] = []
  return {
    add: (line) => {
      const text = plainLine(line).trimEnd()
      if (text === '' && (lines.at(-1) ?? '') === '') return
      // Redact before cutting: half of a secret would not be recognized.
      lines.push(cut(redact(text)))
      if (lines.length > MOST_LINES) lines.shift()
    },
    under: (headline) => {
      const text = redact(lines.join('\n')).slice(-MOST_CHARACTERS)
      return printable(`${cut(headline)}\n${text}`, { multiline: true }).trimEnd()
    },
  }
}

function cut(line: string): string {
  if (line.length <= LONGEST_LINE) return line
  // Copied, because a slice would keep a whole 10 MB line in memory.
  return `${Buffer.from(line.slice(0, LONGEST_LINE)).toString()}…`
}
