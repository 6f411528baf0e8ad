import { expect, test } from 'bun:test'
import { entriesNeededBy } from './dependency-rows.ts'
import { childrenOf } from './family-entries.ts'
import { entriesNamedLike } from './filtered-entries.ts'
import {
  entriesAwaitingCommit,
  entriesByNumber,
  entriesClosedBy,
  entriesWithKey,
  entryOf,
  entryWithId,
} from './find-entries.ts'
import { artifactsOf } from './ledger-files.ts'
import { ensureLedger, findLedger, setTip } from './ledger-rows.ts'
import { openEntriesAsFiled } from './list-entries.ts'
import { openMemoryState, type State } from './open-state.ts'
import { lineOf, tasksOfRows } from './read-tasks.ts'
import { blockedEntries, countWaiting, heldEntries, readyEntries } from './ready-entries.ts'
import { blockersOfRows, childIdsOf, idsOf } from './relations.ts'

/** How SQLite executes one statement. */
function planOf(ask: (db: State) => unknown): string[] {
  const db = openMemoryState()
  ensureLedger(db, 'main')
  const asked: string[] = []
  const query = db.query.bind(db)
  db.query = ((sql: string) => {
    asked.push(sql)
    return query(sql)
  }) as State['query']
  ask(db)
  const rows = query(`EXPLAIN QUERY PLAN ${asked.at(-1)}`).all() as { detail: string }[]
  return rows.map(({ detail }) => detail)
}

const BY_UID = 'SEARCH e USING INDEX entries_uid (lid=? AND uid=?)'
const SORTED = 'USE TEMP B-TREE FOR ORDER BY'

test('a task is found with an index, never by scanning its ledger', () => {
  expect(planOf((db) => entryOf(db, 1, 'a'))).toEqual([BY_UID])
  expect(planOf((db) => entryWithId(db, 1, 'task-abcd'))).toEqual([
    'SEARCH e USING INDEX entries_uid (lid=? AND uid>? AND uid<?)',
  ])
  expect(planOf((db) => entriesByNumber(db, 1, 7))).toEqual([
    'SEARCH c USING PRIMARY KEY (lid=? AND number=?)',
    BY_UID,
    SORTED,
  ])
  expect(planOf((db) => entriesWithKey(db, 1, 'T2-a'))).toEqual(['SEARCH e USING INDEX entries_key (lid=? AND key=?)'])
  expect(planOf((db) => childrenOf(db, 1, 'a'))).toEqual(['SEARCH e USING INDEX entries_parent (lid=? AND parent=?)'])
  expect(planOf((db) => entriesAwaitingCommit(db, 1))).toEqual(['SEARCH e USING INDEX entries_awaiting (lid=?)'])
  expect(planOf((db) => entriesClosedBy(db, 1, 'a'))).toEqual([
    'SEARCH e USING INDEX entries_commit (lid=? AND closed_commit=?)',
  ])
})

test('the parts of a task are found by its row', () => {
  const uid = 'SEARCH e USING COVERING INDEX entries_uid (lid=? AND uid=?)'
  expect(planOf((db) => lineOf(db, 1, 'a'))).toEqual([uid, 'SEARCH l USING INTEGER PRIMARY KEY (rowid=?)'])
  expect(planOf((db) => entriesNeededBy(db, 1, 'a'))).toEqual([
    uid.replace(' e ', ' w '),
    'SEARCH n USING PRIMARY KEY (row=?)',
    'SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    SORTED,
  ])
  expect(planOf((db) => artifactsOf(db, 1, 'artifacts/a/'))).toEqual([
    'SEARCH artifacts USING PRIMARY KEY (lid=? AND path>? AND path<?)',
  ])
})

test('open tasks are read in their order without sorting', () => {
  expect(planOf((db) => [...readyEntries(db, 1)])).toEqual(['SEARCH e USING INDEX entries_ready (lid=?)'])
  expect(planOf((db) => [...blockedEntries(db, 1)])).toEqual(['SEARCH e USING INDEX entries_blocked (lid=?)'])
  expect(planOf((db) => [...heldEntries(db, 1)])).toEqual(['SEARCH e USING INDEX entries_held (lid=?)'])
})

test('what a ledger has, and how many of its tasks wait, is read from indexes', () => {
  expect(planOf((db) => findLedger(db, 'main')).filter((step) => / [eal] /.test(step))).toEqual([
    'SEARCH l USING INDEX sqlite_autoindex_ledgers_1 (ledger=?)',
    'SEARCH e USING INDEX entries_away (lid=?)',
    'SEARCH e USING COVERING INDEX entries_parent (lid=? AND parent>?)',
    'SEARCH a USING PRIMARY KEY (lid=?)',
  ])
  expect(planOf((db) => countWaiting(db, 1)).filter((step) => step.includes('entries'))).toEqual([
    'SEARCH e USING INDEX entries_blocked (lid=?)',
    'SEARCH e USING INDEX entries_held (lid=?)',
  ])
})

test('the last place and number are read from the end of their indexes', () => {
  expect(planOf((db) => setTip(db, 1, { tip: 'a', shards: 0 }))).toEqual([
    'SEARCH ledgers USING INTEGER PRIMARY KEY (rowid=?)',
    'SCALAR SUBQUERY 1',
    'SEARCH entries USING COVERING INDEX entries_place (lid=?)',
    'SCALAR SUBQUERY 2',
    'SEARCH claims USING PRIMARY KEY (lid=?)',
  ])
})

test('what many tasks are tied to is found by indexes', () => {
  const each = 'SCAN j VIRTUAL TABLE INDEX 1:'
  expect(planOf((db) => tasksOfRows(db, []))).toEqual([each, 'SEARCH l USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN'])
  expect(planOf((db) => idsOf(db, 1, ['a']))).toEqual([each, BY_UID])
  expect(planOf((db) => childIdsOf(db, 1, ['a']))).toEqual([
    each,
    'SEARCH e USING INDEX entries_parent (lid=? AND parent=?)',
    SORTED,
  ])
  expect(planOf((db) => blockersOfRows(db, [1]))).toEqual([
    each,
    'SEARCH n USING PRIMARY KEY (row=?)',
    'SEARCH d USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
  ])
})

test('open tasks come in the order of filing without being sorted', () => {
  expect(planOf((db) => openEntriesAsFiled(db, 1))).toEqual(['SEARCH e USING INDEX entries_open (lid=?)'])
})

test('the completion reads the newest tasks first, without sorting a ledger', () => {
  const like = (state: Parameters<typeof entriesNamedLike>[2]['state']) => (db: State) =>
    entriesNamedLike(db, 1, { state, beginning: 'task-', limit: 500 })
  expect(planOf(like('open'))).toEqual(['SEARCH e USING INDEX entries_open (lid=?)'])
  for (const state of ['listed', 'tried', 'finished', 'deleted'] as const)
    expect(planOf(like(state))).toEqual(['SEARCH e USING INDEX entries_place (lid=?)'])
})
