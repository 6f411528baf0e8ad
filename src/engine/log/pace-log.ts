/**
 * Limits how much of an agent's output reaches its log in a time. Lines are written as they come. Many in a short time
 * are gathered and written together; of still more only the last ones are kept.
 */
import { decodeLines, lastLines } from '../../agents/reading/split-lines.ts'
import { megabytes } from '../../core/text/megabytes.ts'
import { type LogEntry, noteOf } from './log-record.ts'

/** Many whole lines, without the last newline. */
export interface FloodPiece extends Pick<LogEntry, 'phase' | 'stream'> {
  lines: Uint8Array
  /** The event of one of these lines. */
  eventOf(line: string): unknown
}

export interface PacedLog {
  write(entry: LogEntry): void
  /** Lines that came too fast to be looked at one by one. The log keeps the last of them. */
  flood(piece: FloodPiece): void
  /** Writes what was held back, for the end of a phase. */
  flush(): void
}

const WINDOW_MS = 250
/** In one window, so many lines are written one by one, and so many characters of each rank in all. */
const LINES_AT_ONCE = 64
const MOST_WRITTEN = 256 * 1024
const MOST_GATHERED = 64 * 1024
/** What is kept of the lines beyond that. */
const MOST_HELD = 64 * 1024
/** What a record has besides its line. */
const RECORD_BYTES = 150

export function paceLog(writeAll: (entries: readonly LogEntry[]) => void): PacedLog {
  const gathered = openQueue()
  const held = openQueue()
  let cut = { bytes: 0, phase: '' }
  let window = startWindow(Number.NEGATIVE_INFINITY)
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const note = cut.bytes === 0 ? [] : [{ phase: cut.phase, ...noteOf(cutNote(cut.bytes)) }]
    const entries = [...gathered.takeAll(), ...note, ...held.takeAll()]
    cut = { bytes: 0, phase: '' }
    if (entries.length > 0) writeAll(entries)
  }

  /** Whether this is more than one window takes. What came before is written first. */
  function isTooMuch(rank: Rank, characters: number): boolean {
    const now = performance.now()
    if (now - window.began >= WINDOW_MS) {
      flush()
      window = startWindow(now)
    }
    window.lines += 1
    window.characters[rank] += characters
    return rank !== 'needed' && window.lines > 1 && window.characters[rank] > MOST_WRITTEN
  }

  function hold(phase: string, item: Item): void {
    held.add(item)
    while (held.size() > MOST_HELD && held.count() > 1) cut.bytes += held.dropFirst()
    cut.phase = phase
    flushLater()
  }

  /** Perhaps nothing follows that would start the next window. */
  function flushLater(): void {
    timer ??= setTimeout(flush, WINDOW_MS)
    timer.unref()
  }

  return {
    flush,
    write(entry) {
      const item = { size: entry.line.length + RECORD_BYTES, entries: () => [entry] }
      if (isTooMuch(rankOf(entry), item.size)) return hold(entry.phase, item)
      // In order: what was held back came before.
      if (held.count() > 0) flush()
      gathered.add(item)
      if (window.lines <= LINES_AT_ONCE || gathered.size() > MOST_GATHERED) flush()
      else flushLater()
    },
    flood({ phase, stream, lines, eventOf }) {
      isTooMuch('plain', lines.length)
      // A copy: the bytes are valid only now.
      const last = lastLines(lines, MOST_OF_PIECE).slice()
      cut.bytes += lines.length - last.length
      const entries = () => decodeLines(last).map((line) => ({ phase, stream, line, event: eventOf(line) }))
      hold(phase, { size: last.length, entries })
    },
  }
}

function cutNote(bytes: number): string {
  return `${megabytes(bytes)} were left out here: they were printed too fast`
}

/** `needed` is always written: it explains how the run ended. Events of a client do not suffer from its plain lines. */
type Rank = 'needed' | 'event' | 'plain'

function rankOf({ line, event }: LogEntry): Rank {
  const kinds = Array.isArray(event) ? event.map((each) => each?.kind) : []
  if (kinds.some((kind) => NEEDED.has(kind))) return 'needed'
  return kinds.length > 0 && /^\s*\{/.test(line) ? 'event' : 'plain'
}

const NEEDED = new Set(['session', 'result', 'limit', 'error'])

function startWindow(began: number) {
  return { began, lines: 0, characters: { needed: 0, event: 0, plain: 0 } }
}

const MOST_OF_PIECE = 16 * 1024

interface Item {
  size: number
  entries(): LogEntry[]
}

function openQueue() {
  let items: Item[] = []
  let size = 0
  return {
    size: () => size,
    count: () => items.length,
    add(item: Item): void {
      items.push(item)
      size += item.size
    },
    /** Returns its size. */
    dropFirst(): number {
      const dropped = items.shift()?.size ?? 0
      size -= dropped
      return dropped
    },
    takeAll(): LogEntry[] {
      const entries = items.flatMap((item) => item.entries())
      items = []
      size = 0
      return entries
    },
  }
}
