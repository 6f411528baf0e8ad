import { growLine } from './grow-line.ts'

export interface LineSplitter {
  push(chunk: Uint8Array): void
  /** Passes on the rest, if the last line has no newline. */
  end(): void
}

/** 32 MB: three times the longest line seen. Of a longer line only the head and the tail are kept. */
const LONGEST_LINE = 32 * 1024 * 1024

/**
 * Bytes in, whole lines out, for any chunks. Lines that arrive together are passed on together, as bytes without the
 * last newline (`decodeLines` makes text of them): in a flood of lines most are never looked at one by one.
 */
export function splitLines(onLines: (lines: Uint8Array) => void, longest: number = LONGEST_LINE): LineSplitter {
  const rest = growLine(longest)
  return {
    push(chunk) {
      const last = chunk.lastIndexOf(NEWLINE)
      let start = 0
      if (last !== -1 && !rest.isEmpty()) {
        start = chunk.indexOf(NEWLINE) + 1
        rest.append(chunk.subarray(0, start - 1))
        onLines(rest.take())
      }
      if (start <= last) onLines(chunk.subarray(start, last))
      rest.append(chunk.subarray(last + 1))
    },
    end() {
      if (!rest.isEmpty()) onLines(rest.take())
    },
  }
}

const NEWLINE = 0x0a

/** Lines end with a newline, with or without a carriage return before it. */
export function decodeLines(lines: Uint8Array): string[] {
  const text = decoder.decode(lines)
  return (text.includes('\r') ? text.replace(/\r(?=\n|$)/g, '') : text).split('\n')
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** About the last `most` bytes: whole lines only, because of a line without its beginning no secret is recognized. */
export function lastLines(lines: Uint8Array, most: number): Uint8Array {
  if (lines.length <= most) return lines
  const newline = lines.indexOf(NEWLINE, lines.length - most)
  return lines.subarray((newline === -1 ? lines.lastIndexOf(NEWLINE) : newline) + 1)
}
