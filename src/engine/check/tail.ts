import { plainLine } from '../../core/run/count-tests.ts'
import { printable } from '../../core/text/printable.ts'
import type { Redact } from '../guard/redact.ts'

const MOST_LINES = 60
const LONGEST_LINE = 400
const MOST_CHARACTERS = 6000

export interface Tail {
  add(line: string): void
  /** A headline and, below it, the last lines: printable, and short whatever was printed. */
  under(headline: string): string
}

/** Remembers the end of an output of any length, without secrets: it goes into the ledger, which is pushed. */
export function keepTail(redact: Redact): Tail {
  const lines: string[] = []
  return {
    add: (line) => {
      const text = plainLine(line).trimEnd()
      if (text === '' && (lines.at(-1) ?? '') === '') return
      // Before it is cut: half of a secret would no longer be known for one.
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
  // Through bytes, because a slice would keep all of a 10 MB line alive.
  return `${Buffer.from(line.slice(0, LONGEST_LINE)).toString()}…`
}
