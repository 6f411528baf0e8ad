import { decodeLines, splitLines } from '../../agents/reading/split-lines.ts'
import { inspectFile } from '../../platform/files/inspect-file.ts'
import { readFilePiece } from '../../platform/files/read-piece.ts'
import type { StoredRecord } from './log-record.ts'
import { parseRecords } from './read-run-log.ts'

/** How far a log was read. */
export interface LogPlace {
  /** The file: a log that grew too long is replaced by a shorter one. */
  file: string
  offset: number
  /** Of the last record that was read. */
  order: number
}

export interface LogPart {
  records: StoredRecord[]
  next: LogPlace | null
  /** Something before these records was left out. */
  hasGap: boolean
}

/** At most so many bytes are read at once. Of more, the last. */
const MOST = 256 * 1024
const NEWLINE = 0x0a

/** What was written to a log after a place; without one, the end of the log. Takes as long for a long log as for a short one. */
export function readLogPart(path: string, after: LogPlace | null): LogPart {
  const { file } = readFilePiece(path, 0, 0)
  const size = inspectFile(path)?.size ?? 0
  const isSame = after !== null && after.file === file && after.offset <= size
  const from = isSame ? after.offset : 0
  const start = Math.max(from, size - MOST)
  const piece = readFilePiece(path, start, MOST)
  // It is not there yet, or was replaced this moment.
  if (file === null || piece.file !== file) return { records: [], next: after, hasGap: false }
  const { bytes } = piece
  const first = start > from ? bytes.indexOf(NEWLINE) + 1 : 0
  const end = bytes.lastIndexOf(NEWLINE) + 1
  const all = recordsIn(bytes.subarray(first, Math.max(first, end)))
  const known = after?.order ?? Number.NEGATIVE_INFINITY
  const records = all.filter(({ order = known + 1 }) => order > known)
  // A record that is longer than all that is read at once is passed over.
  const isTooLong = end === 0 && bytes.length === MOST
  return {
    records,
    next: { file, offset: start + (isTooLong ? bytes.length : end), order: records.at(-1)?.order ?? after?.order ?? 0 },
    hasGap: isTooLong || (start > from && records.length === all.length),
  }
}

function recordsIn(bytes: Uint8Array): StoredRecord[] {
  const lines: string[] = []
  splitLines((whole) => lines.push(...decodeLines(whole))).push(bytes)
  return [...parseRecords(lines)]
}
