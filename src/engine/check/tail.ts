import { decodeLines, lastLines } from '../../agents/reading/split-lines.ts'
import { plainLine } from '../../core/run/count-tests.ts'
import { printable } from '../../core/text/printable.ts'
import type { Redact } from '../guard/redact.ts'

const LONGEST_LINE = 400
/** A command, how it ended, and what failed first. */
const LONGEST_HEADLINE = 600

export interface Tail {
  add(line: string): void
  /** Whole lines as bytes, without the last newline. */
  addMany(lines: Uint8Array): void
  /** The last lines: printable, and always short. */
  text(): string
  /** A headline and further lines and, below them, the last lines. */
  under(headline: string, further?: readonly string[]): string
}

export interface TailSize {
  lines: number
  characters: number
}

/**
 * Keeps the end of an output of any length, without secrets, because it is stored in the ledger, which is pushed. Only
 * what is still there at the end is decoded and searched for secrets.
 */
export function keepTail(redact: Redact, most: TailSize = { lines: 60, characters: 6000 }): Tail {
  const kept: (string | Uint8Array)[] = []
  const keep = (piece: string | Uint8Array): void => {
    kept.push(piece)
    if (kept.length > 2 * most.lines) kept.splice(0, kept.length - most.lines)
  }
  const text = (): string => {
    const lines = kept.flatMap((piece) => (typeof piece === 'string' ? piece : decodeLines(piece)))
    const last = lines.slice(-2 * most.lines).map((line) => shortLine(line, redact))
    const shown = last.filter((line, at) => line !== '' || last[at - 1] !== '').slice(-most.lines)
    return printable(redact(shown.join('\n')).slice(-most.characters), { multiline: true }).trimEnd()
  }
  return {
    text,
    add: (line) => {
      if (line.trim() === '' && kept.at(-1) === '') return
      keep(line.length > LONGEST_KEPT ? shortLine(line, redact) : line.trimEnd())
    },
    addMany: (lines) => keep(lastLines(lines, LONGEST_KEPT).slice()),
    under: (headline, further = []) => {
      const lines = [headline, ...further].map((line) => cut(redact(line), LONGEST_HEADLINE))
      return `${printable(lines.join('\n'), { multiline: true })}\n${text()}`.trimEnd()
    },
  }
}

const LONGEST_KEPT = 16 * 1024

/** Redacted before it is cut: half of a secret would not be recognized. */
function shortLine(line: string, redact: Redact): string {
  return cut(redact(plainLine(line).trimEnd()))
}

function cut(line: string, most: number = LONGEST_LINE): string {
  if (line.length <= most) return line
  // Copied, because a slice would keep a whole 10 MB line in memory.
  return `${Buffer.from(line.slice(0, most)).toString()}…`
}
