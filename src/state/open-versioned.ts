import { Database } from 'bun:sqlite'
import { makeStoreFolder, storeExists } from '../platform/files/store-files.ts'
import { inLock, LOCK_WAIT_MS } from './write-lock.ts'

/**
 * Opens a store whose content exists nowhere else, and upgrades it: each of `versions` adds to the one before. A newer
 * gza may have added more; everything that this one knows is still there.
 */
export function openVersioned(path: string, versions: readonly string[]): Database {
  if (!storeExists(path)) makeStoreFolder(path)
  const db = new Database(path, { create: true, strict: true })
  db.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
  if (versionOf(db) >= versions.length) return db
  logging().useLog(db)
  inLock(db, () => {
    for (const change of versions.slice(versionOf(db))) db.run(change)
    db.run(`PRAGMA user_version = ${Math.max(versions.length, versionOf(db))}`)
  })
  return db
}

/** Loaded only for a new store, or one of an older gza. */
function logging(): typeof import('./use-log.ts') {
  return require('./use-log.ts')
}

export function versionOf(db: Database): number {
  return (db.query('PRAGMA user_version').get() as { user_version: number }).user_version
}

export interface StoreChanges {
  /** Whether another connection has written since this was last asked. */
  hasChanged(): boolean
  close(): void
}

/** Follows a store through a connection of its own: one does not notice what is written through itself. */
export function followStore(open: () => Database | null): StoreChanges {
  let db: Database | null = null
  let seen = -1
  return {
    hasChanged() {
      db ??= open()
      const version = db === null ? seen : versionOfContents(db)
      const changed = seen !== version
      seen = version
      return changed
    },
    close() {
      db?.close()
      db = null
    },
  }
}

function versionOfContents(db: Database): number {
  return (db.query('PRAGMA data_version').get() as { data_version: number }).data_version
}
