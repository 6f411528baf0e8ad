export interface LineSplitter {
  push(chunk: Uint8Array): void
  /** Emits the rest, if the last line has no newline. */
  end(): void
}

/** 64 MB: six times the longest line seen, and short enough to be parsed next to others. */
const LONGEST_LINE = 64 * 1024 * 1024

/**
 * Bytes in, lines out, for any chunks. Lines end with a newline, with or without a carriage return before it. A line
 * over `longest` bytes is cut, and the number of dropped bytes is passed on.
 */
export function splitLines(
  onLine: (line: string, droppedBytes: number) => void,
  longest: number = LONGEST_LINE,
): LineSplitter {
  const line = growingBuffer(longest)
  const emit = () => onLine(...line.take())
  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        line.append(chunk.subarray(start, end))
        emit()
        start = end + 1
      }
      line.append(chunk.subarray(start))
    },
    end() {
      if (!line.isEmpty()) emit()
    },
  }
}

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const SMALLEST = 64 * 1024

/**
 * The bytes of one line. The buffer doubles, so a long line in small chunks is copied twice at most. A list of the
 * chunks, joined at the end, would hold one object for each chunk and the memory that the chunk was cut from.
 */
function growingBuffer(longest: number) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let bytes = new Uint8Array(SMALLEST)
  let used = 0
  let dropped = 0

  function append(chunk: Uint8Array): void {
    const kept = chunk.subarray(0, longest - used)
    dropped += chunk.length - kept.length
    if (used + kept.length > bytes.length) {
      const larger = new Uint8Array(Math.max(bytes.length * 2, used + kept.length))
      larger.set(bytes.subarray(0, used))
      bytes = larger
    }
    bytes.set(kept, used)
    used += kept.length
  }

  function take(): [line: string, droppedBytes: number] {
    const end = dropped === 0 && bytes[used - 1] === CARRIAGE_RETURN ? used - 1 : used
    const taken: [string, number] = [decoder.decode(bytes.subarray(0, end)), dropped]
    if (bytes.length > SMALLEST) bytes = new Uint8Array(SMALLEST)
    used = 0
    dropped = 0
    return taken
  }

  return { append, take, isEmpty: () => used === 0 && dropped === 0 }
}
