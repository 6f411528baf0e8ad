import type { Database } from 'bun:sqlite'
import { openVersioned } from '../open-versioned.ts'

export type Account = Database

/** Opens the store of what belongs to the person: workers of all repositories write to it at once. */
export function openAccount(path: string): Account {
  return openVersioned(path, VERSIONS)
}

const VERSIONS = [
  'CREATE TABLE spending (day TEXT PRIMARY KEY, usd REAL NOT NULL, turns INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE pauses (agent TEXT PRIMARY KEY, until TEXT NOT NULL) WITHOUT ROWID',
]
