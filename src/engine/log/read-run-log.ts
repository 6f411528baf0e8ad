import { z } from 'zod'
import { decodeLines, splitLines } from '../../agents/reading/split-lines.ts'
import { readFilePiece } from '../../platform/files/read-piece.ts'
import type { LogRecord, StoredRecord } from './log-record.ts'

export interface FollowOptions {
  /** Called when everything was read. Without it, reading ends at the end of the log. */
  isOver?: () => boolean
  cancel?: AbortSignal
}

const PIECE = 256 * 1024
const PAUSE_MS = 100

/** The records of a log from its start, then new ones until it is over. A record that cannot be read is skipped. */
export async function* readRunLog(path: string, { isOver, cancel }: FollowOptions = {}): AsyncGenerator<LogRecord> {
  let reading = startReading(null)
  let last = Number.NEGATIVE_INFINITY
  let known = Number.NEGATIVE_INFINITY
  while (!cancel?.aborted) {
    // Called before reading, so that everything written before the end is read.
    const isLast = isOver?.() ?? true
    const { bytes, file } = readFilePiece(path, reading.offset, PIECE)
    // A log that grew too long was replaced by a shorter one. Its records that were read before are passed over.
    if (file !== reading.file) {
      reading = startReading(file)
      known = last
      if (bytes.length > 0 || last !== Number.NEGATIVE_INFINITY) continue
    }
    for (const { order = last, ...record } of reading.take(bytes)) {
      if (order <= known) continue
      last = order
      yield record
    }
    if (bytes.length > 0) continue
    if (isLast) return
    await Bun.sleep(PAUSE_MS)
  }
}

function startReading(file: string | null) {
  const lines: string[] = []
  const splitter = splitLines((whole) => lines.push(...decodeLines(whole)))
  let offset = 0
  return {
    file,
    get offset() {
      return offset
    },
    take(bytes: Uint8Array): Generator<StoredRecord> {
      offset += bytes.length
      splitter.push(bytes)
      return parseRecords(lines.splice(0))
    },
  }
}

const RECORD = z.object({
  at: z.string(),
  order: z.number().optional(),
  phase: z.string(),
  stream: z.enum(['out', 'err', 'gza']),
  line: z.string(),
  event: z.unknown(),
  cut: z.number().optional(),
})

export function* parseRecords(lines: readonly string[]): Generator<StoredRecord> {
  for (const line of lines) {
    const record = RECORD.safeParse(parseJson(line))
    if (record.success) yield record.data
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
