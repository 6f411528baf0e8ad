import { Database } from 'bun:sqlite'
import { dirname } from 'node:path'
import { ensureFolder } from '../../platform/files.ts'
import { inLock } from './open-state.ts'

export type Account = Database

/** Opens the store of what belongs to the person: workers of all repositories write to it at once. */
export function openAccount(path: string): Account {
  ensureFolder(dirname(path))
  const db = new Database(path, { create: true, strict: true })
  db.run('PRAGMA busy_timeout = 60000')
  if (versionOf(db) >= VERSIONS.length) return db
  db.run('PRAGMA journal_mode = WAL')
  inLock(db, () => {
    for (const change of VERSIONS.slice(versionOf(db))) db.run(change)
    db.run(`PRAGMA user_version = ${Math.max(VERSIONS.length, versionOf(db))}`)
  })
  return db
}

/** What each version adds to the one before. */
const VERSIONS = [
  'CREATE TABLE spending (day TEXT PRIMARY KEY, usd REAL NOT NULL, turns INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE pauses (agent TEXT PRIMARY KEY, until TEXT NOT NULL) WITHOUT ROWID',
]

function versionOf(db: Database): number {
  return (db.query('PRAGMA user_version').get() as { user_version: number }).user_version
}
