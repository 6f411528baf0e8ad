import type { Database } from 'bun:sqlite'
import { openVersioned } from '../open-versioned.ts'

export type Account = Database

/** Opens the store of a person's facts for all repositories. Workers in all of them write to it at the same time. */
export function openAccount(path: string): Account {
  return openVersioned(path, VERSIONS)
}

const VERSIONS = [
  'CREATE TABLE spending (day TEXT PRIMARY KEY, usd REAL NOT NULL, turns INTEGER NOT NULL) WITHOUT ROWID',
  // Of earlier releases, which paused an agent in all its accounts.
  'CREATE TABLE pauses (agent TEXT PRIMARY KEY, until TEXT NOT NULL) WITHOUT ROWID',
  `CREATE TABLE agent_pauses (agent TEXT, account TEXT, model TEXT, until TEXT NOT NULL, guesses INTEGER NOT NULL,
    PRIMARY KEY (agent, account, model)) WITHOUT ROWID`,
  `CREATE TABLE holds (scope TEXT, name TEXT, holder TEXT NOT NULL, pid INTEGER NOT NULL, start_time TEXT, boot_id TEXT,
    pid_namespace TEXT, PRIMARY KEY (scope, name)) WITHOUT ROWID`,
  'CREATE TABLE overloads (agent TEXT PRIMARY KEY, times INTEGER NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID',
]
