import { decodeLines, lastLines } from '../../agents/reading/split-lines.ts'

export interface LastLines {
  addLine(line: string): void
  /** Whole lines, without the last newline. */
  addLines(lines: Uint8Array): void
  /** Each line ends with a newline. */
  text(): string
}

/** Keeps the last `size` characters of an output of any length. Nothing is copied or decoded twice. */
export function keepLast(size: number): LastLines {
  let pieces: (string | Uint8Array)[] = []
  let length = 0
  const add = (piece: string | Uint8Array): void => {
    pieces.push(piece)
    length += piece.length + 1
    // Rarely, because each time the list is copied.
    if (length > 4 * size) shrink()
  }
  const shrink = (): void => {
    let first = pieces.length
    for (length = 0; first > 0 && length < size; first--) length += (pieces[first - 1]?.length ?? 0) + 1
    pieces = pieces.slice(first)
  }
  return {
    // A copy: the last part of a long line would keep all of it in memory.
    addLine: (line) => add(line.length <= size ? line : Buffer.from(line.slice(-size)).toString()),
    addLines: (lines) => add(lastLines(lines, size).slice()),
    text: () => {
      const lines = pieces.flatMap((piece) => (typeof piece === 'string' ? piece : decodeLines(piece)))
      return lines
        .map((line) => `${line}\n`)
        .join('')
        .slice(-size)
    },
  }
}
