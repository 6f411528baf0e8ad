import { cutMark } from '../../core/text/cut-middle.ts'

/** The bytes of one line while it arrives. */
export interface GrowingLine {
  append(chunk: Uint8Array): void
  /** The line so far. The next one starts empty. */
  take(): Uint8Array
  isEmpty(): boolean
}

/** What is kept on each side of a line that is too long: more than a log or a prompt shows of it. */
const EDGE = 1024 * 1024

/** A line over `longest` bytes keeps its head and its tail, with a mark between them. */
export function growLine(longest: number, edge: number = EDGE): GrowingLine {
  const whole = growBuffer(longest)
  let cut: { head: Uint8Array; tail: Tail; dropped: number } | null = null
  return {
    append(chunk) {
      if (cut === null && whole.used() + chunk.length <= longest) return whole.append(chunk)
      // The head may still be short, if the chunk is long.
      const toHead = cut === null ? Math.max(0, edge - whole.used()) : 0
      whole.append(chunk.subarray(0, toHead))
      cut ??= beginCut(whole.take(), edge)
      cut.dropped += cut.tail.append(chunk.subarray(toHead))
    },
    take() {
      if (cut === null) return whole.take()
      const { head, tail, dropped } = cut
      cut = null
      const pushedOut = tail.shrink()
      return joinEdges(head, tail.bytes(), dropped + pushedOut)
    },
    isEmpty: () => cut === null && whole.used() === 0,
  }
}

function beginCut(start: Uint8Array<ArrayBuffer>, edge: number) {
  const tail = keepTail(edge)
  // A copy: a part of the start would keep all of it in memory.
  const head = start.slice(0, edge)
  const dropped = tail.append(start.subarray(edge))
  free(start)
  return { head, tail, dropped }
}

/** Now, and not when the collector comes by: it counts objects, and 32 MB are one of them. */
function free(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0)
}

const SMALLEST = 64 * 1024

/**
 * The buffer doubles, so a long line in small chunks is copied twice at most, and the smaller one is freed at once. A list
 * of the chunks, joined at the end, would hold one object for each chunk and the memory that the chunk was cut from.
 */
function growBuffer(longest: number) {
  let bytes = new Uint8Array(Math.min(SMALLEST, longest))
  let used = 0
  return {
    used: () => used,
    append(chunk: Uint8Array): void {
      if (used + chunk.length > bytes.length) {
        const length = Math.min(longest, Math.max(bytes.length * 2, used + chunk.length))
        bytes = new Uint8Array(bytes.buffer.transfer(length))
      }
      bytes.set(chunk, used)
      used += chunk.length
    },
    take(): Uint8Array<ArrayBuffer> {
      const isSmall = bytes.length <= SMALLEST
      const taken = isSmall ? bytes.slice(0, used) : bytes.subarray(0, used)
      if (!isSmall) bytes = new Uint8Array(SMALLEST)
      used = 0
      return taken
    },
  }
}

interface Tail {
  /** Returns how many bytes this pushed out. */
  append(chunk: Uint8Array): number
  /** Pushes out all but the last bytes, and returns how many that were. */
  shrink(): number
  bytes(): Uint8Array
}

/** At least the last `size` bytes. The buffer is twice as long, so that they are moved only once for each `size` bytes. */
function keepTail(size: number): Tail {
  const bytes = new Uint8Array(2 * size)
  let used = 0
  const shrink = (): number => {
    const dropped = Math.max(0, used - size)
    bytes.copyWithin(0, dropped, used)
    used -= dropped
    return dropped
  }
  return {
    append(chunk) {
      const skipped = Math.max(0, chunk.length - size)
      const kept = chunk.subarray(skipped)
      // A chunk as long as the tail replaces all of it.
      const pushedOut = skipped > 0 ? used : used + kept.length > bytes.length ? shrink() : 0
      if (skipped > 0) used = 0
      bytes.set(kept, used)
      used += kept.length
      return skipped + pushedOut
    },
    shrink,
    bytes: () => bytes.subarray(0, used),
  }
}

/**
 * The line is cut where neither a character nor an escape sequence is broken. A client's event with one very long text
 * so stays an event: the cut is in that text.
 */
function joinEdges(head: Uint8Array, tail: Uint8Array, dropped: number): Uint8Array {
  const end = endOfHead(head)
  const start = startOfTail(tail)
  const mark = new TextEncoder().encode(cutMark(dropped + head.length - end + start))
  const line = new Uint8Array(end + mark.length + tail.length - start)
  line.set(head.subarray(0, end))
  line.set(mark, end)
  line.set(tail.subarray(start), end + mark.length)
  return line
}

const BACKSLASH = 0x5c
/** `\ud83d\ude00` is the longest: two halves of one character. */
const LONGEST_ESCAPE = 12

/** Before an escape sequence or a character that may be incomplete. */
function endOfHead(head: Uint8Array): number {
  let end = head.indexOf(BACKSLASH, Math.max(0, head.length - LONGEST_ESCAPE))
  if (end === -1) return withoutLastCharacter(head)
  while (end > 0 && head[end - 1] === BACKSLASH) end -= 1
  return end
}

function withoutLastCharacter(head: Uint8Array): number {
  let end = head.length - 1
  while (end > 0 && isInsideCharacter(head[end])) end -= 1
  return Math.max(0, end)
}

/** After a byte that escapes nothing, at the start of a character. */
function startOfTail(tail: Uint8Array): number {
  let start = Math.min(LONGEST_ESCAPE, tail.length)
  while (start < tail.length && (tail[start - 1] === BACKSLASH || isInsideCharacter(tail[start]))) start += 1
  return start
}

/** The second or a later byte of a character in UTF-8. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
