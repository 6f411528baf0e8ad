/** A line without its end, or one that is too long to be kept. */
export type Line = { text: string } | { excess: number }

/** The lines of a stream, empty ones left out. What follows the last line end is a line too. */
export async function* splitLines(input: AsyncIterable<Uint8Array>, longest: number): AsyncIterable<Line> {
  let pieces: Uint8Array[] = []
  let length = 0
  const add = (piece: Uint8Array): void => {
    length += piece.length
    if (length > longest) pieces = []
    else pieces.push(piece.slice())
  }
  const take = (): Line | null => {
    const line = length > longest ? { excess: length } : { text: Buffer.concat(pieces).toString().trim() }
    pieces = []
    length = 0
    return 'text' in line && line.text === '' ? null : line
  }
  for await (const chunk of input) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end))
      from = end + 1
      const line = take()
      if (line !== null) yield line
    }
    add(chunk.subarray(from))
  }
  const last = take()
  if (last !== null) yield last
}

const NEWLINE = 10
