/** Keeps a log short: of one that has grown too long, the head and the tail stay, with a note between them. */
import { megabytes } from '../../core/text/megabytes.ts'
import { inspectFile } from '../../platform/files/inspect-file.ts'
import { readPiece } from '../../platform/files/read-piece.ts'
import { replaceFile } from '../../platform/files/replace-file.ts'
import { noteOf, type StoredRecord } from './log-record.ts'

/** More than an honest agent prints in a run. */
export const LONGEST_LOG = 16 * 1024 * 1024
const EDGE = 4 * 1024 * 1024
const NEWLINE = 0x0a

/**
 * Replaces the file at once, so that a reader finds a whole log at any time. Returns its new size; null if it could not
 * be replaced, for example on a full disk.
 */
export function foldLog(path: string): number | null {
  try {
    return fold(path, inspectFile(path)?.size ?? 0)
  } catch {
    return null
  }
}

function fold(path: string, size: number): number {
  const head = readPiece(path, 0, EDGE)
  const tail = readPiece(path, size - EDGE, EDGE)
  const end = endOfHead(head)
  const start = tail.indexOf(NEWLINE) + 1
  const cut = { from: end, to: size - EDGE + start }
  const note = new TextEncoder().encode(`${JSON.stringify(noteAbout(path, cut))}\n`)
  const pieces = [head.subarray(0, end), note, tail.subarray(start)]
  replaceFile(path, pieces)
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

/** Before the note of an earlier cut. No text of an agent contains this: its quotes are escaped. */
function endOfHead(head: Uint8Array): number {
  const earlier = Buffer.from(head.buffer, head.byteOffset, head.length).indexOf('"cut":')
  return head.lastIndexOf(NEWLINE, earlier === -1 ? head.length - 1 : earlier) + 1
}

/** Longer than any record. */
const LONGEST_RECORD = 1024 * 1024

/** Takes the place of the last record that was cut out. The first one may be the note of an earlier cut. */
function noteAbout(path: string, { from, to }: { from: number; to: number }): StoredRecord {
  const first = readPiece(path, from, Math.min(LONGEST_RECORD, to - from))
  const before = readPiece(path, Math.max(from, to - LONGEST_RECORD), Math.min(LONGEST_RECORD, to - from))
  const earlier = recordIn(first.subarray(0, first.indexOf(NEWLINE)))
  const { at = '', phase = '', order } = recordIn(before.subarray(before.lastIndexOf(NEWLINE, -2) + 1))
  const cut = to - from + (earlier.cut ?? 0)
  const note = noteOf(`${megabytes(cut)} were cut out of the log here: it keeps the beginning and the end of a run`)
  return { at, phase, ...note, cut, ...(order !== undefined && { order }) }
}

function recordIn(line: Uint8Array): Partial<StoredRecord> {
  try {
    return JSON.parse(new TextDecoder().decode(line))
  } catch {
    return {}
  }
}
