import { constants, Database } from 'bun:sqlite'
import { fileExists } from '../../platform/files/files.ts'
import { isUnwritable } from '../index/open-state.ts'
import { openVersioned, versionOf } from '../open-versioned.ts'
import { LIVE_VERSIONS } from './live-schema.ts'

export type Live = Database

/** Opens the store of leases and runs. A worker's last write before a power cut must be there after it. */
export function openLive(path: string): Live {
  return openVersioned(path, LIVE_VERSIONS)
}

/** For reading: nothing is made where no worker ever was. */
export function openLiveIfThere(path: string): Live | null {
  if (!fileExists(path)) return null
  try {
    return openLive(path)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    return openUnwritable(path)
  }
}

/** A repository that can only be read: without leave to make the log beside it, SQLite reads the file only as it is. */
function openUnwritable(path: string): Live | null {
  try {
    const address = `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`
    const db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
    if (versionOf(db) >= LIVE_VERSIONS.length) return db
    db.close()
  } catch {
    // What cannot even be read says nothing about who works here.
  }
  return null
}
