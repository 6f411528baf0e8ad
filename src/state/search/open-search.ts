import { constants, Database } from 'bun:sqlite'
import { makeStoreFolder, setStoreAside, storeIdentity } from '../../platform/files/store-files.ts'
import { versionOf } from '../open-versioned.ts'
import { isDamagedStore, isUnwritable } from '../store-faults.ts'
import { useLog } from '../use-log.ts'
import { inLock, LOCK_WAIT_MS } from '../write-lock.ts'
import { SCHEMA } from './search-tables.ts'

/**
 * The texts of all tasks, to search in. Only those who search open it, and only they bring it up to date. Everything in
 * it comes from the ledgers, so it can be removed at any time.
 */
export type Search = Database

/** Raised with every change of the tables: one with other tables is made again. */
const SCHEMA_VERSION = 3

const PAGE_BYTES = 16_384

/** Opens the store for one piece of work. If it is damaged, it is replaced, and the work is done again. */
export function useSearch<T>(path: string, work: (db: Search) => T): T {
  const file = storeIdentity(path)
  try {
    return closing(open(path), work)
  } catch (error) {
    if (!isDamagedStore(error)) throw error
    return closing(replace(path, file), work)
  }
}

function closing<T>(db: Search, work: (db: Search) => T): T {
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Of several processes that notice the damage, only the first moves the file aside. */
function replace(path: string, damaged: string | null): Search {
  try {
    if (damaged !== null && storeIdentity(path) === damaged) setStoreAside(path, `${path}.damaged`)
  } catch (error) {
    if (isUnwritable(error)) return openSearchInMemory()
    throw error
  }
  return open(path)
}

function open(path: string): Search {
  try {
    return openWritable(path)
  } catch (error) {
    if (isUnwritable(error)) return openReadable(path)
    throw error
  }
}

function openWritable(path: string): Search {
  if (storeIdentity(path) === null) makeStoreFolder(path)
  const db = new Database(path, { create: true, strict: true })
  try {
    db.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
    db.run('PRAGMA synchronous = NORMAL')
    // Only for a new file. A piece of the index has 4050 bytes: four of them fill such a page, one leaves part of a smaller one.
    db.run(`PRAGMA page_size = ${PAGE_BYTES}`)
    // The index of words is merged while it grows: with the usual 2 MB, most of that is read again and again.
    db.run('PRAGMA cache_size = -65536')
    // The log file stays, but empty, as that of the index does: without it a store in a read-only folder cannot be opened.
    db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
    db.run('PRAGMA journal_size_limit = 1048576')
    if (versionOf(db) === SCHEMA_VERSION) return db
    useLog(db)
    inLock(db, () => createTables(db))
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function createTables(db: Search): void {
  if (versionOf(db) === SCHEMA_VERSION) return
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  // The virtual table first: it removes its own ones.
  const old = (db.query(`${tables} ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC`).all() as { name: string }[]).map(
    ({ name }) => name,
  )
  for (const name of old) db.run(`DROP TABLE IF EXISTS "${name.replaceAll('"', '""')}"`)
  db.run(SCHEMA)
  db.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
}

/** For a repository that can only be read. */
function openReadable(path: string): Search {
  try {
    const db = new Database(path, { readonly: true, strict: true })
    if (versionOf(db) === SCHEMA_VERSION) return db
    db.close()
  } catch {
    // It cannot be read. The ledgers can.
  }
  return openSearchInMemory()
}

/** For one search, where the store cannot be brought up to date. */
export function openSearchInMemory(): Search {
  const db = new Database(':memory:', { strict: true })
  db.run(SCHEMA)
  return db
}
