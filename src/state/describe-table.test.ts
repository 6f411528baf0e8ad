import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import type { Table } from './describe-table.ts'
import * as indexTables from './index/index-tables.ts'
import { openMemoryState } from './index/open-state.ts'
import { LIVE_VERSIONS } from './live/live-schema.ts'
import * as liveTables from './live/live-tables.ts'

/** The columns of a table according to SQLite, in the form of the description. */
function columnsIn(db: Database, table: string): Record<string, string> {
  const rows = db.query(`PRAGMA table_info(${table})`).all() as { name: string; type: string; notnull: number }[]
  return Object.fromEntries(rows.map(({ name, type, notnull }) => [name, `${type}${notnull ? ' NOT NULL' : ''}`]))
}

function describedIn({ columns }: Table): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns()).map(([name, { sql }]) => [name, sql.replace(/ (?:UNIQUE|PRIMARY KEY)$/, '')]),
  )
}

function aLiveStore(): Database {
  const db = new Database(':memory:', { strict: true })
  for (const change of LIVE_VERSIONS) db.run(change)
  return db
}

const { LEASES, RUNS, CHANGED_FILES, PHASES, AGENTS, MATTERS, GUARDS, MOVES } = liveTables
test.each(
  [LEASES, RUNS, CHANGED_FILES, PHASES, AGENTS, MATTERS, GUARDS, MOVES].map((table) => [table.name, table] as const),
)('the versions of the live store make the table %s as it is described', (name, table) => {
  expect(sorted(columnsIn(aLiveStore(), name))).toEqual(sorted(describedIn(table)))
})

const { LEDGERS, ENTRIES, LINES, NEEDS, CLAIMS, UNREADABLE, ARTIFACTS, LINK_TIPS } = indexTables
test.each(
  [LEDGERS, ENTRIES, LINES, NEEDS, CLAIMS, UNREADABLE, ARTIFACTS, LINK_TIPS].map(
    (table) => [table.name, table] as const,
  ),
)('the index has the table %s as it is described', (name, table) => {
  expect(columnsIn(openMemoryState(), name)).toEqual(describedIn(table))
})

/** A key's column may be declared without NOT NULL, which SQLite adds to it in tables without row numbers. */
function sorted(columns: Record<string, string>): [string, string][] {
  return Object.entries(columns).sort()
}
