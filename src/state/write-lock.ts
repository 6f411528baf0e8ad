import { type Database, SQLiteError } from 'bun:sqlite'
import { command, sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'

/** Long enough for fifty writers in a queue, each with a few milliseconds of git under the lock. */
export const LOCK_WAIT_MS = 60_000

/**
 * Runs `work` as the only local writer. SQLite's own write lock is the queue: the kernel releases it when a process
 * dies, so no lock file can outlive its owner. What `work` writes is kept or dropped as a whole.
 */
export function inLock<T>(db: Database, work: () => T, waitMs = LOCK_WAIT_MS): T {
  if (heldBeside.has(db)) return partly(db, work)
  beginWriting(db, waitMs)
  try {
    const result = work()
    db.run('COMMIT')
    return result
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    throw error
  }
}

/** Whose lock this process holds while it waits for git (write-lock-beside.ts). */
export const heldBeside = new WeakSet<Database>()

// Loaded only where runs wait for git beside others.
function partly<T>(db: Database, work: () => T): T {
  const { asPart }: typeof import('./write-lock-beside.ts') = require('./write-lock-beside.ts')
  return asPart(db, work)
}

/**
 * Tries to get the lock repeatedly. SQLite's own wait grows to 100 ms a step, and the lock, held for ten, is free most
 * of that time: with it, each of eight writers waited three times as long.
 */
function beginWriting(db: Database, waitMs: number): void {
  const start = performance.now()
  db.run('PRAGMA busy_timeout = 0')
  try {
    while (!tryBegin(db)) {
      const waited = performance.now() - start
      if (waited > waitMs) throw ledgerBusy(waitMs)
      // A random wait, so that no writer stays behind another; a longer one after a while, because many may be waiting.
      Bun.sleepSync(1 + Math.random() * Math.min(9, 2 + waited / 20))
    }
  } finally {
    db.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
  }
}

export function tryBegin(db: Database): boolean {
  return tryRun(db, 'BEGIN IMMEDIATE')
}

/** False: another process is in the way. */
export function tryRun(db: Database, sql: string): boolean {
  try {
    db.run(sql)
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true
}

export function ledgerBusy(waitMs: number): UserError {
  return new UserError('LEDGER_BUSY', `Another gza has held the write lock for ${waitMs / 1000} seconds`, {
    hint: sentence`Nothing was changed. ${command`doctor`} shows more; run the command again later.`,
  })
}
