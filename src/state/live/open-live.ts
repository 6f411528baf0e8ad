import { constants, Database } from 'bun:sqlite'
import { storeExists } from '../../platform/files/store-files.ts'
import { openVersioned, versionOf } from '../open-versioned.ts'
import { isUnwritable } from '../store-faults.ts'
import { UNWRITABLE } from './live-clone.ts'
import { LIVE_VERSIONS } from './live-schema.ts'

export type Live = Database

/**
 * Opens the store of leases and runs. What a worker wrote must survive a power cut, so every write is synced to disk.
 */
export function openLive(path: string): Live {
  return openVersioned(path, LIVE_VERSIONS)
}

/** For reading: creates nothing if no worker has run here yet. */
export function openLiveIfThere(path: string): Live | null {
  if (!storeExists(path)) return null
  try {
    return openLive(path)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    return openUnwritable(path)
  }
}

/** For a repository that can only be read: SQLite cannot create its log there, and reads the file without it. */
function openUnwritable(path: string): Live | null {
  try {
    const address = `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`
    const db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
    UNWRITABLE.set(db, path)
    if (versionOf(db) >= LIVE_VERSIONS.length) return db
    db.close()
  } catch {
    // It cannot even be read, so nothing is known about who works here.
  }
  return null
}
