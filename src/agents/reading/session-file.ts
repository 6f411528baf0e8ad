import { inspectFile } from '../../platform/files/inspect-file.ts'
import { readPiece } from '../../platform/files/read-piece.ts'

/** Enough for the last events: longer ones are texts, which are not wanted here. */
const PIECE = 1024 * 1024

/** The last whole lines of a session's file; none if it is not a file. The agent may have written anything to it. */
export function lastLines(path: string): string[] {
  try {
    const facts = inspectFile(path)
    if (facts?.kind !== 'file') return []
    const from = Math.max(0, facts.size - PIECE)
    const lines = new TextDecoder().decode(readPiece(path, from, PIECE)).split('\n')
    return from === 0 ? lines : lines.slice(1)
  } catch {
    return []
  }
}
