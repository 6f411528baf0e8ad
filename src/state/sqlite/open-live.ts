import { Database } from 'bun:sqlite'
import { dirname } from 'node:path'
import { ensureFolder, fileExists } from '../../platform/files.ts'
import { LIVE_VERSIONS } from './live-schema.ts'
import { inLock } from './open-state.ts'

export type Live = Database

/** Opens the store of leases and runs. A worker's last write before a power cut must be there after it. */
export function openLive(path: string): Live {
  ensureFolder(dirname(path))
  const db = new Database(path, { create: true, strict: true })
  db.run('PRAGMA busy_timeout = 60000')
  // A newer gza may have added to it; what this one knows is still there.
  if (versionOf(db) >= LIVE_VERSIONS.length) return db
  db.run('PRAGMA journal_mode = WAL')
  inLock(db, () => {
    for (const change of LIVE_VERSIONS.slice(versionOf(db))) db.run(change)
    db.run(`PRAGMA user_version = ${Math.max(LIVE_VERSIONS.length, versionOf(db))}`)
  })
  return db
}

/** For reading: nothing is made where no worker ever was. */
export function openLiveIfThere(path: string): Live | null {
  return fileExists(path) ? openLive(path) : null
}

function versionOf(db: Database): number {
  return (db.query('PRAGMA user_version').get() as { user_version: number }).user_version
}
