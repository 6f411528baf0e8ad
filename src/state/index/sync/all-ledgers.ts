/** What an exchange with others asks about all ledgers at once, or about many tasks of one. */
import type { Claimant } from '../../../core/task/task-ids.ts'
import type { LedgerRow } from '../index-tables.ts'
import { linkTip, setLinkTip } from '../ledger-rows.ts'
import type { State } from '../open-state.ts'

/** The ledgers that existed when the index last read them: the commit of each, and how many tasks it has. */
export function ledgersAtTips(db: State): Pick<LedgerRow, 'lid' | 'ledger' | 'tip' | 'tasks'>[] {
  return db.query("SELECT lid, ledger, tip, tasks FROM ledgers WHERE tip <> ''").all() as LedgerRow[]
}

/** The ledgers, by their row numbers, in which tasks wait for a commit. */
export function ledgersAwaitingCommit(db: State): Set<number> {
  const rows = db.query('SELECT DISTINCT lid FROM entries INDEXED BY entries_awaiting WHERE awaits_commit = 1').values()
  return new Set((rows as [number][]).map(([lid]) => lid))
}

/** The state of ledgers and notes in which all notes were last found to be there. */
export function notedState(db: State): string | null {
  return linkTip(db, 0, 'notes')
}

export function setNotedState(db: State, state: string): void {
  setLinkTip(db, 0, 'notes', state)
}

/** Which tasks claim one of the numbers. */
export function claimsOn(db: State, lid: number, numbers: readonly number[]): Claimant[] {
  const rows = db
    .query(
      `SELECT c.number, c.uid, e.created_at FROM json_each(?) j
      CROSS JOIN claims c ON c.lid = ?2 AND c.number = j.value
      CROSS JOIN entries e INDEXED BY entries_uid ON e.lid = ?2 AND e.uid = c.uid`,
    )
    .all(JSON.stringify(numbers), lid) as Omit<Claimant, 'renumbered'>[]
  return rows.map((row) => ({ ...row, renumbered: [] }))
}
