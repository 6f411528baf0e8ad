import { constants, Database } from 'bun:sqlite'
import { quickStat } from '../../platform/files/quick-stat.ts'
import { makeStoreFolder, setStoreAside, storeIdentity } from '../../platform/files/store-files.ts'
import { isDamagedStore, isUnwritable } from '../store-faults.ts'
import { inLock, isBusy, LOCK_WAIT_MS, ledgerBusy } from '../write-lock.ts'

export type State = Database

/** Raised with every change of the tables in schema.ts: an index with another schema is made again from the ledgers. */
export const SCHEMA_VERSION = 20
/** The tables of this release, in a file that is not in its usual mode: see without-log.ts. */
export const WITHOUT_LOG = -SCHEMA_VERSION

/** Opens the index at `path`, and creates it if it is missing, outdated or not a database. */
export function openState(path: string): State {
  const file = storeIdentity(path)
  try {
    return openUsable(path, file)
  } catch (error) {
    if (isDamaged(error)) return replaceState(path, file)
    if (isUnwritable(error)) return openUnwritable(path)
    throw isBusy(error) ? ledgerBusy(LOCK_WAIT_MS) : error
  }
}

/** Closes a damaged index and opens a sound one. */
export function reopenState(db: State, path: string): State {
  const file = files.get(db) ?? null
  db.close()
  return replaceState(path, file)
}

/**
 * For a process that ends now. A short log is left for the next one: to empty it, SQLite syncs it and the index to disk,
 * which takes longer than the rest of a command. What a power cut takes from the log is missing, and never wrong: SQLite
 * reads it as far as its checksums are right.
 */
export function leaveState(db: State): void {
  if ((quickStat(`${db.filename}-wal`)?.size ?? 0) > MOST_LOG) db.close()
}

/** Every command reads the log once: 64 pages. */
const MOST_LOG = 64 * 4096

/** The file that each index was opened from: when damage is noticed, another file may be in its place. */
const files = new WeakMap<State, string | null>()

/**
 * Moves the damaged file aside and starts anew: everything in it is derived from the ledgers. Of several processes that
 * notice the damage, only the first does so. Removing the new file while its log is in use would damage it again.
 */
function replaceState(path: string, damaged: string | null): State {
  try {
    if (damaged !== null && storeIdentity(path) === damaged) setStoreAside(path, `${path}.damaged`)
    return openUsable(path, storeIdentity(path))
  } catch (error) {
    if (isUnwritable(error)) return openMemoryState()
    throw error
  }
}

/** An index in memory, for repositories that cannot be written. */
export function openMemoryState(): State {
  const db = new Database(':memory:', { strict: true })
  makeTables(db)
  return db
}

/** The same rows in memory, with the same numbers: what was looked up before is still valid. */
export function copyToMemory(db: State): State {
  const bytes = db.serialize()
  // These two bytes of the header ask for a log file, which a database in memory does not have.
  bytes.fill(1, 18, 20)
  return Database.deserialize(bytes, { strict: true })
}

/** The index contains a value that gza did not write, and SQLite has not noticed. */
export class DamagedState extends Error {}

export function isDamaged(error: unknown): boolean {
  return error instanceof DamagedState || isDamagedStore(error)
}

function openUsable(path: string, file: string | null): State {
  if (file === null) makeStoreFolder(path)
  const db = new Database(path, { create: true, strict: true })
  files.set(db, file ?? storeIdentity(path))
  db.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
  // The ledger is the source: an index that lost its last writes in a power cut is only stale.
  db.run('PRAGMA synchronous = NORMAL')
  // The log file stays when the last process ends, but a long one is emptied. Creating it again would cost every command a
  // little, and the next command would read a full one (150 ms after an import of 100,000 tasks).
  db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  db.run('PRAGMA journal_size_limit = 1048576')
  if (schemaVersion(db) === SCHEMA_VERSION) return db
  logging().useLog(db)
  return inLock(db, () => createSchema(db))
}

/** Loaded only for a new index. */
function logging(): typeof import('../use-log.ts') {
  return require('../use-log.ts')
}

function schemaVersion(db: Database): number {
  return (db.query('PRAGMA user_version').get() as { user_version: number }).user_version
}

function createSchema(db: Database): Database {
  const version = schemaVersion(db)
  if (version === SCHEMA_VERSION) return db
  if (version !== WITHOUT_LOG) makeTables(db)
  db.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  return db
}

function makeTables(db: Database): void {
  const { replaceTables }: typeof import('./schema.ts') = require('./schema.ts')
  replaceTables(db)
}

/** For a repository that can only be read: the index on disk if it is usable, otherwise one in memory. */
function openUnwritable(path: string): State {
  const { openReadOnly }: typeof import('./build/open-read-only.ts') = require('./build/open-read-only.ts')
  return openReadOnly(path, SCHEMA_VERSION) ?? openMemoryState()
}
