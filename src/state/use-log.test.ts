import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useLog } from './use-log.ts'

const HOLDER = `
  const { Database } = require('bun:sqlite')
  const db = new Database(process.argv[1], { create: true })
  db.run('BEGIN EXCLUSIVE')
  console.log('held')
  Bun.sleepSync(200)
  db.run('COMMIT')`

test('a new store that another process has at this moment is waited for, also where SQLite itself gives up at once', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'gza-log-')), 'a.db')
  const holder = spawn(process.execPath, ['-e', HOLDER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  const db = new Database(path, { create: true })
  db.run('PRAGMA busy_timeout = 0')
  expect(() => db.run('PRAGMA journal_mode = WAL')).toThrow('database is locked')
  useLog(db)
  expect(db.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  db.close()
})
