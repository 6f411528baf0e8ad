/** Tasks by their state. */

import type { Entry } from './index-tables.ts'
import type { State } from './open-state.ts'
import { countEntries, hasEntry, selectEntries } from './select-entries.ts'
import { completedSql, failedSql, finishedSql, openSql, pendingSql } from './status-sql.ts'

/** Every task that is not deleted, in the order of filing; `archived`: also archived ones. */
export function listedEntries(db: State, lid: number, { archived }: { archived: boolean }): Entry[] {
  return selectEntries(db, lid, `e.deleted = 0${archived ? '' : ' AND e.archived = 0'} ORDER BY e.place`)
}

/** In the order of filing. */
export function openEntriesAsFiled(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `${openSql('e')} ORDER BY e.place`)
}

/** By number. */
export function openEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `${openSql('e')} ORDER BY e.number`)
}

export function hasOpenTasks(db: State, lid: number): boolean {
  return hasEntry(db, lid, openSql('e'))
}

/** Is there a task that is not deleted? */
export function hasTasks(db: State, lid: number): boolean {
  return hasEntry(db, lid, 'e.deleted = 0')
}

export function openAssignedEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `e.assigned_agent IS NOT NULL AND ${openSql('e')} ORDER BY e.number`)
}

/** Pending tasks with a question that nobody has answered. By number. */
export function askingEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `${pendingSql('e')} AND e.asks = 1 ORDER BY e.number`)
}

/** The uids of open tasks that a person has put on hold. */
export function openOnHold(db: State, lid: number): Set<string> {
  const rows = db.query(`SELECT uid FROM entries e WHERE e.lid = ? AND ${openSql('e')} AND e.on_hold = 1`).all(lid)
  return new Set((rows as { uid: string }[]).map(({ uid }) => uid))
}

/** How many tasks an agent has filed in this run, in all ledgers. */
export function countFiledIn(db: State, run: string): number {
  return (db.query('SELECT count(*) AS tasks FROM entries WHERE filed_in = ?').get(run) as { tasks: number }).tasks
}

/** In the order in which they should be started. */
export function pendingEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `${pendingSql('e')} ORDER BY e.priority, e.milestone, e.number`)
}

/** Tasks with attempts that are still to be done. */
export function pendingEntriesWithRuns(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `${pendingSql('e')} AND e.has_runs = 1 ORDER BY e.number`)
}

/** With a run, in any clone, that has not ended, whatever happened to the task. By number. */
export function entriesWithOpenRuns(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, 'e.open_runs IS NOT NULL ORDER BY e.number')
}

export function failedEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `${failedSql('e')} ORDER BY e.number`)
}

export function completedReviews(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `e.type = 'review' AND ${completedSql('e')} ORDER BY e.number`)
}

/**
 * Completed tasks whose line contains a verdict that needs a person. Searched in the text: reading every completed task
 * would take seconds if there are many.
 */
export function completedWithOpenVerdict(db: State, lid: number): Entry[] {
  const asked = `${completedSql('e')} AND e.archived = 0 AND e.has_runs = 1 AND EXISTS (
    SELECT 1 FROM lines l WHERE l.row = e.row
    AND (instr(l.line, '"MAX_CYCLES_REACHED"') > 0 OR instr(l.line, '"NEEDS_DISCUSSION"') > 0
      OR (e.type = 'review' AND instr(l.line, '"CHANGES_REQUESTED"') > 0))) ORDER BY e.number`
  return selectEntries(db, lid, asked)
}

/** Tasks that were taken from a claim that had expired. Searched in the text, as above. */
export function entriesTakenFromClaims(db: State, lid: number): Entry[] {
  const taken = `e.deleted = 0 AND e.archived = 0 AND e.has_runs = 1 AND EXISTS (
    SELECT 1 FROM lines l WHERE l.row = e.row AND instr(l.line, '"expired_claims"') > 0) ORDER BY e.number`
  return selectEntries(db, lid, taken)
}

/** Completed tasks of which a run was completed without a check. Searched in the text, as above. */
export function completedWithoutCheck(db: State, lid: number): Entry[] {
  const unverified = `${completedSql('e')} AND e.has_runs = 1 AND EXISTS (
    SELECT 1 FROM lines l WHERE l.row = e.row AND instr(l.line, '"unverified":true') > 0) ORDER BY e.number`
  return selectEntries(db, lid, unverified)
}

/** Finished at that time or earlier, and not archived; in the order of filing. */
export function finishedBefore(db: State, lid: number, latest: string): Entry[] {
  const finished = `e.deleted = 0 AND e.archived = 0 AND ${finishedSql('e')} AND e.closed_at <= ? ORDER BY e.place`
  return selectEntries(db, lid, finished, latest)
}

export function archivedEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, 'e.archived = 1 AND e.deleted = 0 ORDER BY e.place')
}

/** In the order of filing. A task that moved away is restored in the ledger that it moved to. */
export function deletedEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, 'e.deleted = 1 AND e.away = 0 ORDER BY e.place')
}

export function countOpen(db: State, lid: number): number {
  return countEntries(db, lid, openSql('e'))
}

export function countFinished(db: State, lid: number): number {
  return countEntries(db, lid, `e.deleted = 0 AND ${finishedSql('e')}`)
}

export function countFailed(db: State, lid: number): number {
  return countEntries(db, lid, failedSql('e'))
}

/** The tasks that belong to a milestone, in the order of filing; archived ones too, because they are part of its past. */
export function entriesOfMilestones(db: State, lid: number): (Entry & { milestone_id: string })[] {
  const rows = selectEntries(db, lid, "e.deleted = 0 AND e.milestone_id > '' ORDER BY e.place")
  return rows as (Entry & { milestone_id: string })[]
}
