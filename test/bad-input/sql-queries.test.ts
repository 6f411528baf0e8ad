import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { add, aStartedRepo, ask, contents } from '../support/ledger-calls.ts'
import { refusalOf } from './refused-command.ts'

const repo = aStartedRepo()
add(repo, 'one')
const file = join(repo.env.HOME ?? '', 'made.db')

describe('a query', () => {
  test.each([
    'DELETE FROM tasks',
    'UPDATE entries SET title = 1',
    'INSERT INTO leases VALUES (1)',
    'DROP TABLE entries',
    'CREATE TABLE x (y)',
    `ATTACH '${file}' AS other`,
    `VACUUM INTO '${file}'`,
    'PRAGMA query_only = OFF',
    'PRAGMA journal_mode = DELETE',
    'BEGIN IMMEDIATE',
    'REINDEX',
    '/* SELECT */ DELETE FROM entries',
    '-- SELECT\nDELETE FROM entries',
    '',
    ';',
    'nonsense',
  ])('that begins with no question is refused: %s', (sql) => {
    expect(refusalOf(repo, ['query', sql])).toEqual({
      exit: 2,
      code: 'READ_ONLY_QUERY',
      message: 'gza query only reads: the statement must begin with SELECT or WITH',
      hint: 'gza query "SELECT id, content FROM tasks"',
    })
  })

  test.each([
    'WITH x AS (SELECT 1) DELETE FROM entries',
    'WITH x AS (SELECT 1) UPDATE entries SET title = 1',
    'WITH x AS (SELECT 1) INSERT INTO link_tips SELECT 1, 1, 1',
  ])('that writes all the same is refused by the index itself: %s', (sql) => {
    expect(refusalOf(repo, ['query', sql])).toMatchObject({
      exit: 2,
      code: 'BAD_QUERY',
      message: 'attempt to write a readonly database',
    })
  })

  test.each([
    'SELECT 1; DELETE FROM entries',
    'SELECT 1; PRAGMA query_only = OFF; DELETE FROM entries',
    `SELECT 1; ATTACH '${file}' AS other`,
    'SELECT 1;SELECT 2',
    "SELECT ';'; SELECT 2",
    'SELECT 1 -- ;\n; SELECT 2',
    'SELECT 1 /* ; */ ; SELECT 2',
  ])('of several statements is refused whole: %s', (sql) => {
    expect(refusalOf(repo, ['query', sql])).toMatchObject({
      exit: 2,
      code: 'BAD_QUERY',
      message: 'gza query runs one statement at a time',
    })
  })

  test.each([
    ['SELECT * FROM nowhere', 'no such table: nowhere'],
    ['SELECT what FROM tasks', 'no such column: what'],
    ['SELECT (', 'incomplete input'],
    ["SELECT load_extension('/tmp/x.so')", 'not authorized'],
    ["SELECT readfile('/etc/passwd')", 'no such function: readfile'],
    [`SELECT writefile('${file}', 'x')`, 'no such function: writefile'],
  ])('that SQLite cannot answer says why: %s', (sql, message) => {
    expect(refusalOf(repo, ['query', sql])).toMatchObject({ exit: 2, code: 'BAD_QUERY', message })
  })

  test('with signs that only look like a second statement is answered', () => {
    const answer = (sql: string) => ask<Record<string, unknown>[]>(repo, 'query', sql)
    expect(answer("SELECT ';' AS sign;")).toEqual([{ sign: ';' }])
    expect(answer("SELECT 'it''s; fine' AS text -- ; really\n")).toEqual([{ text: "it's; fine" }])
    expect(answer('SELECT 1 AS ";" /* ; SELECT */ ;;')).toEqual([{ ';': 1 }])
    expect(answer('/* a */ -- b\n WITH x AS (SELECT 7 AS n) SELECT n FROM x')).toEqual([{ n: 7 }])
    expect(answer('VALUES (1), (2)')).toHaveLength(2)
  })

  test('never changes anything', () => {
    expect({ made: existsSync(file), contents: contents(repo) }).toEqual({ made: false, contents: ['one'] })
  })

  test('of all ledgers is answered from what they hold now, and from no ledger that is gone', () => {
    const several = aStartedRepo()
    const asked = (sql: string) => ask<Record<string, unknown>[]>(several, 'query', sql, '--all-branches')
    add(several, 'on main')
    for (const content of ['on other', 'taken back']) add(several, content, '--branch', 'other')
    add(several, 'put away', '--branch', 'gone', '--assigned-agent', 'ann')
    several.git('branch', 'other')
    several.git('update-ref', 'refs/tasks/other', 'refs/tasks/other~1')
    expect(asked('SELECT id, status, client FROM agents')).toEqual([{ id: 'ann', status: 'busy', client: null }])
    expect(several.gza('prune', '--archive-open').code).toBe(0)
    expect(asked('SELECT ledger, content FROM tasks ORDER BY ledger')).toEqual([
      { ledger: 'main', content: 'on main' },
      { ledger: 'other', content: 'on other' },
    ])
    expect(asked('SELECT id FROM agents')).toEqual([])
  })
})
