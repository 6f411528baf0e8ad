import { insertInto } from '../describe-table.ts'
import { inLock } from '../write-lock.ts'
import { MOVES } from './live-tables.ts'
import type { Live } from './open-live.ts'

/** Moves of ledgers that a person's gza has made while agents ran: `REF COMMIT`, `REF gone`, or a commit alone. */
export function vouchForMoves(db: Live, moves: readonly string[], now: string): void {
  inLock(db, () => {
    const insert = db.query(insertInto(MOVES, 'INSERT OR REPLACE'))
    for (const move of moves) insert.run(move, now)
    const day = new Date(Date.parse(now) - DAYS_MS).toISOString()
    db.query('DELETE FROM moves WHERE at < ?').run(day)
  })
}

/** Longer than any phase of an agent takes. */
const DAYS_MS = 14 * 24 * 60 * 60 * 1000

export function isMoveVouched(db: Live, move: string): boolean {
  return db.query('SELECT 1 FROM moves WHERE move = ?').get(move) !== null
}
