import { constants, Database, SQLiteError } from 'bun:sqlite'
import { dirname } from 'node:path'
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { ensureFolder, fileIdentity, moveAside, removeFile } from '../../platform/files/files.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** Long enough for fifty writers in a queue, each with a few milliseconds of git under the lock. */
const LOCK_WAIT_MS = 60_000

export type State = Database

/** Opens the state store at `path`, making it where it is missing, outdated or no database. */
export function openState(path: string): State {
  const file = fileIdentity(path)
  try {
    return openUsable(path)
  } catch (error) {
    if (isDamaged(error)) return replaceState(path, file)
    if (isUnwritable(error)) return openUnwritable(path)
    throw error
  }
}

/** Closes a store that turned out to be damaged and opens a sound one. */
export function reopenState(db: State, path: string): State {
  const file = files.get(db) ?? null
  db.close()
  return replaceState(path, file)
}

/** The file each store was opened from: by the time damage shows, another may be in its place. */
const files = new WeakMap<State, string | null>()

/**
 * Puts the damaged file aside and starts anew: all of it is derived from the ledgers. Of several processes that notice
 * the damage only the first does so; to take away what it made, with its log in use, would do the damage again.
 */
function replaceState(path: string, damaged: string | null): State {
  try {
    if (damaged !== null && fileIdentity(path) === damaged) {
      moveAside(path, `${path}.damaged`)
      for (const suffix of ['-wal', '-shm']) removeFile(path + suffix)
    }
    return openUsable(path)
  } catch (error) {
    if (isUnwritable(error)) return openMemoryState()
    throw error
  }
}

/** A store in memory, for repositories that cannot be written. */
export function openMemoryState(): State {
  const db = new Database(':memory:', { strict: true })
  db.run(SCHEMA)
  return db
}

/** The same rows in memory, under the same numbers: what was looked up before means the same there. */
export function copyToMemory(db: State): State {
  const bytes = db.serialize()
  // The two bytes of the header that ask for a log file, which memory has none of.
  bytes.fill(1, 18, 20)
  return Database.deserialize(bytes, { strict: true })
}

/** The store holds something that nobody wrote, though SQLite has not noticed. */
export class DamagedState extends Error {}

// Rows that contradict each other are damage too: no task of a sound index takes another's place. So is a table that the
// version of the store promises and that is not there.
export function isDamaged(error: unknown): boolean {
  if (error instanceof DamagedState) return true
  if (!(error instanceof SQLiteError)) return false
  return /^SQLITE_(CORRUPT|NOTADB|CONSTRAINT)/.test(error.code ?? '') || /^no such (table|column)/.test(error.message)
}

export function isUnwritable(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return /^(SQLITE_(READONLY|CANTOPEN|FULL|IOERR)|EROFS|EACCES|EPERM|ENOSPC|EEXIST|ENOTDIR)/.test(code)
}

/** The same of SQLite's own errors: leases are written before any ledger is. */
export function isUnwritableStore(error: unknown): boolean {
  return error instanceof SQLiteError && isUnwritable(error)
}

function openUsable(path: string): State {
  ensureFolder(dirname(path))
  const db = new Database(path, { create: true, strict: true })
  files.set(db, fileIdentity(path))
  db.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
  // The ledger is the truth; an index that a power cut takes back is merely stale.
  db.run('PRAGMA synchronous = NORMAL')
  // The log file stays, emptied, when the last process leaves: making it anew would cost every command a little, and a
  // full one would be read whole by the next (150 ms after an import of 100,000 tasks).
  db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  db.run('PRAGMA journal_size_limit = 1048576')
  if (schemaVersion(db) === SCHEMA_VERSION) return db
  db.run('PRAGMA journal_mode = WAL')
  return inLock(db, () => createSchema(db))
}

function schemaVersion(db: Database): number {
  return (db.query('PRAGMA user_version').get() as { user_version: number }).user_version
}

function createSchema(db: Database): Database {
  if (schemaVersion(db) === SCHEMA_VERSION) return db
  const old = db.query(
    "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
  )
  for (const { type, name } of old.all() as { type: string; name: string }[])
    db.run(`DROP ${type} "${name.replaceAll('"', '""')}"`)
  db.run(SCHEMA)
  db.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  return db
}

/** A repository that can only be read: the index on disk if there is a good one, else one in memory. */
function openUnwritable(path: string): State {
  try {
    const db = new Database(path, { readonly: true, strict: true })
    if (schemaVersion(db) === SCHEMA_VERSION) return db
    db.close()
  } catch {
    // No index that could be read: the ledgers are still there.
  }
  return openMemoryState()
}

/**
 * Runs `work` as the only local writer. SQLite's own write lock is the queue: the kernel frees it when a process dies,
 * so no lock file can outlive its owner, and what `work` does to the index is kept or dropped as a whole.
 */
export function inLock<T>(db: State, work: () => T, waitMs = LOCK_WAIT_MS): T {
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

/**
 * Asks for the lock again and again. SQLite's own wait grows to 100 ms a step, in which the lock, held for ten, is free
 * most of the time: of eight writers at once each then waited three times as long.
 */
function beginWriting(db: State, waitMs: number): void {
  const start = performance.now()
  db.run('PRAGMA busy_timeout = 0')
  try {
    while (!tryBegin(db)) {
      const waited = performance.now() - start
      if (waited > waitMs) throw ledgerBusy(waitMs)
      // At random, so that nobody stays behind another; less often after a while, because many may be waiting.
      Bun.sleepSync(1 + Math.random() * Math.min(9, 2 + waited / 20))
    }
  } finally {
    db.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
  }
}

function tryBegin(db: State): boolean {
  try {
    db.run('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}

function ledgerBusy(waitMs: number): UserError {
  return new UserError('LEDGER_BUSY', `Another gza has held the write lock for ${waitMs / 1000} seconds`, {
    hint: sentence`Nothing was changed. ${command`doctor`} shows more; run the command again later.`,
  })
}
