/** Tasks with their parts. */

import type { Entry } from './index-tables.ts'
import type { State } from './open-state.ts'
import { hasEntry, selectEntries } from './select-entries.ts'
import { failedSql, finishedSql, openSql, pendingSql } from './status-sql.ts'

/** In the order of filing, without deleted ones. */
export function childrenOf(db: State, lid: number, uid: string): Entry[] {
  return selectEntries(db, lid, 'e.parent = ? AND e.deleted = 0 ORDER BY e.place', uid)
}

export function countChildren(db: State, lid: number, uid: string): { done: number; total: number } {
  const counts = `count(*) FILTER (WHERE ${finishedSql('e')}) AS done, count(*) AS total`
  const row = db.query(`SELECT ${counts} FROM entries e WHERE e.lid = ? AND e.parent = ? AND e.deleted = 0`)
  return row.get(lid, uid) as { done: number; total: number }
}

/** Deleted ones too. */
export function everyChildOf(db: State, lid: number, uid: string): Entry[] {
  return selectEntries(db, lid, 'e.parent = ?', uid)
}

export function openChildrenOf(db: State, lid: number, uid: string): Entry[] {
  return selectEntries(db, lid, `e.parent = ? AND ${openSql('e')} ORDER BY e.number`, uid)
}

export function pendingChildrenOf(db: State, lid: number, uid: string): Entry[] {
  return selectEntries(db, lid, `e.parent = ? AND ${pendingSql('e')} ORDER BY e.number`, uid)
}

/** Parts that have failed, by number. */
export function failedParts(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `e.parent IS NOT NULL AND ${failedSql('e')} ORDER BY e.number`)
}

/** Tasks that are part of another. */
export function partEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, 'e.parent IS NOT NULL AND e.deleted = 0')
}

export function openPartEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, `e.parent IS NOT NULL AND ${openSql('e')} ORDER BY e.parent, e.place`)
}

/** Has any task, deleted or not, a parent? */
export function hasParts(db: State, lid: number): boolean {
  return hasEntry(db, lid, 'e.parent IS NOT NULL')
}

/** Tasks that are part of no other, in the order of filing. */
export function wholeEntries(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, 'e.parent IS NULL AND e.deleted = 0 ORDER BY e.place')
}

/** Those of them that were taken up from a backlog file. */
export function wholeEntriesFromBacklog(db: State, lid: number): Entry[] {
  const recorded = 'EXISTS (SELECT 1 FROM lines l WHERE l.row = e.row AND instr(l.line, \'"todo_item":\') > 0)'
  return selectEntries(db, lid, `e.parent IS NULL AND e.deleted = 0 AND ${recorded}`)
}

type Sibling = Pick<Entry, 'parent' | 'plan_file' | 'place'>

/** The listed tasks filed before it: parts of the same whole, or whole tasks of the same plan. The nearest is first. */
export function siblingsBefore(db: State, lid: number, of: Sibling, limit: number): Entry[] {
  return siblings(db, lid, of, 'e.place < ? ORDER BY e.place DESC LIMIT ?', limit)
}

export function siblingsAfter(db: State, lid: number, of: Sibling, limit: number): Entry[] {
  return siblings(db, lid, of, 'e.place > ? ORDER BY e.place LIMIT ?', limit)
}

function siblings(db: State, lid: number, { parent, plan_file, place }: Sibling, side: string, limit: number): Entry[] {
  const beside = parent === null ? 'e.parent IS NULL AND e.plan_file IS ?' : 'e.parent = ?'
  const listed = `${beside} AND e.deleted = 0 AND e.archived = 0`
  return selectEntries(db, lid, `${listed} AND ${side}`, parent ?? plan_file, place, limit)
}

/**
 * The tasks with a pending descendant that has no pending children. A merge may have made two tasks each other's parents: they
 * have no such descendant, so they are not returned.
 */
export function parentsOfPending(db: State, lid: number): Set<string> {
  const sql = `SELECT e.uid, e.parent FROM entries e WHERE e.lid = ? AND e.parent IS NOT NULL AND ${pendingSql('e')}`
  const rows = db.query(sql).all(lid) as { uid: string; parent: string }[]
  const above = new Map(rows.map(({ uid, parent }) => [uid, parent]))
  const parents = new Set(above.values())
  const found = new Set<string>()
  for (const { uid } of rows) {
    if (parents.has(uid)) continue
    for (let up = above.get(uid); up !== undefined && !found.has(up); up = above.get(up)) found.add(up)
  }
  return found
}

/** The tasks that have a pending child. */
export function parentsOfPendingChildren(db: State, lid: number): Set<string> {
  const pending = `e.lid = ? AND e.parent IS NOT NULL AND ${pendingSql('e')}`
  const rows = db.query(`SELECT DISTINCT e.parent FROM entries e WHERE ${pending}`).values(lid) as [string][]
  return new Set(rows.map(([parent]) => parent))
}

/** The tasks with a failed child. */
export function parentsOfFailed(db: State, lid: number): Set<string> {
  const failed = `lid = ? AND ${failedSql()} AND parent IS NOT NULL`
  const rows = db.query(`SELECT DISTINCT parent FROM entries INDEXED BY entries_failed WHERE ${failed}`).all(lid)
  return new Set((rows as { parent: string }[]).map(({ parent }) => parent))
}
