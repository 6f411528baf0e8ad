import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inLock } from '../../write-lock.ts'
import { ensureLedger } from '../ledger-rows.ts'
import { openState, SCHEMA_VERSION, type State, WITHOUT_LOG } from '../open-state.ts'
import { withoutLog } from './without-log.ts'

const aPath = () => join(mkdtempSync(join(tmpdir(), 'gza-log-')), 'state.db')

const modeOf = (db: State) => (db.query('PRAGMA journal_mode').get() as { journal_mode: string }).journal_mode
const versionOf = (db: State) => (db.query('PRAGMA user_version').get() as { user_version: number }).user_version
const ledgersIn = (db: State) => db.query('SELECT ledger FROM ledgers').values().flat()
const fill = (db: State) => inLock(db, () => ensureLedger(db, 'main'))

test('an index that nobody else has open is filled without its log, and has it again afterwards', () => {
  const db = openState(aPath())
  const during = withoutLog(db, () => {
    fill(db)
    return [modeOf(db), versionOf(db)]
  })
  expect(during).toEqual(['delete', WITHOUT_LOG])
  expect([modeOf(db), versionOf(db), ledgersIn(db)]).toEqual(['wal', SCHEMA_VERSION, ['main']])
})

test('another process that has the index open keeps the log, and sees the rows', () => {
  const path = aPath()
  const [db, other] = [openState(path), openState(path)]
  expect(ledgersIn(other)).toEqual([])
  const during = withoutLog(db, () => {
    fill(db)
    return modeOf(db)
  })
  expect(during).toBe('wal')
  expect([modeOf(db), versionOf(db), ledgersIn(other)]).toEqual(['wal', SCHEMA_VERSION, ['main']])
})

test('what fails leaves no rows', () => {
  const db = openState(aPath())
  const work = () =>
    inLock(db, () => {
      ensureLedger(db, 'main')
      throw new Error('a damaged ledger')
    })
  expect(() => withoutLog(db, work)).toThrow('a damaged ledger')
  expect([modeOf(db), versionOf(db), ledgersIn(db)]).toEqual(['wal', SCHEMA_VERSION, []])
})

test('an index that a dead process left without its log gets it again, and keeps its rows', () => {
  const path = aPath()
  const dead = openState(path)
  fill(dead)
  dead.run(`PRAGMA user_version = ${WITHOUT_LOG}`)
  dead.run('PRAGMA journal_mode = DELETE')
  dead.close()
  const db = openState(path)
  expect([modeOf(db), versionOf(db), ledgersIn(db)]).toEqual(['wal', SCHEMA_VERSION, ['main']])
})
