/** Finds the lines that differ between versions of files without splitting what they share, which is nearly all. */

export interface Versions {
  before: Buffer
  after: Buffer
}

/** The lines of each side that the other side has in none of the files. A line that moved is on both sides. */
export function linesOfOneSide(files: readonly Versions[]): { before: string[]; after: string[] } {
  const middles = files.map(differingMiddles)
  const only = (own: keyof Versions, other: keyof Versions): string[] => {
    const lines = new Set(middles.flatMap((middle) => linesIn(middle[own])))
    const isThere = finderIn(
      files.map((file) => file[other]),
      lines.size,
    )
    return [...lines].filter((line) => !isThere(line))
  }
  return { before: only('before', 'after'), after: only('after', 'before') }
}

/** A few lines are searched in the bytes; for many, all lines of the files are collected once. */
function finderIn(files: readonly Buffer[], count: number): (line: string) => boolean {
  const full = files.filter(({ length }) => length > 0)
  if (full.length === 0) return () => false
  if (count * full.length <= MOST_SEARCHES)
    return (line) => full.some((bytes) => (isDamaged(line) ? linesIn(bytes).includes(line) : hasLine(bytes, line)))
  const lines = new Set(full.flatMap(linesIn))
  return (line) => lines.has(line)
}

const MOST_SEARCHES = 32

/** Read from bytes that are not UTF-8: they cannot be found again. */
function isDamaged(line: string): boolean {
  return line.includes('\ufffd')
}

function linesIn(bytes: Buffer): string[] {
  return bytes.length === 0 ? [] : bytes.toString().split('\n').filter(Boolean)
}

const LINE_BREAK = 10

/** Both versions without the whole lines that they have in common at their beginning and at their end. */
export function differingMiddles({ before, after }: Versions): Versions {
  const shorter = Math.min(before.length, after.length)
  const isSameStart = (length: number) => before.compare(after, 0, length, 0, length) === 0
  const start = lineStart(before, sharedLength(shorter, isSameStart))
  const isSameEnd = (length: number) =>
    before.compare(after, after.length - length, after.length, before.length - length, before.length) === 0
  const end = wholeLines({ before, after }, start, sharedLength(shorter - start, isSameEnd))
  return { before: before.subarray(start, before.length - end), after: after.subarray(start, after.length - end) }
}

/** The greatest length that holds, up to `most`: if one holds, every smaller one does too. */
function sharedLength(most: number, holds: (length: number) => boolean): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** The start of the line that the place is in. */
function lineStart(bytes: Buffer, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(LINE_BREAK, at - 1) + 1
}

/** How much of a shared end consists of whole lines in both versions. */
function wholeLines({ before, after }: Versions, start: number, end: number): number {
  const startsLine = (bytes: Buffer) => {
    const at = bytes.length - end
    return at === start || bytes[at - 1] === LINE_BREAK
  }
  if (end === 0 || (startsLine(before) && startsLine(after))) return end
  const found = before.indexOf(LINE_BREAK, before.length - end)
  return found < 0 ? 0 : before.length - found - 1
}

/** Is the text one of the lines? */
function hasLine(bytes: Buffer, line: string): boolean {
  const wanted = Buffer.from(line)
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const isWhole = (at === 0 || bytes[at - 1] === LINE_BREAK) && (end === bytes.length || bytes[end] === LINE_BREAK)
    if (isWhole) return true
  }
  return false
}
