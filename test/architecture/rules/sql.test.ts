import { expect, test } from 'bun:test'
import { strayStatements, strayUsersOfSql } from './sql.ts'

test.each([
  "'SELECT branch FROM entries'",
  '`INSERT OR REPLACE INTO artifacts VALUES (1)`',
  "'DELETE FROM unreadable'",
  "'PRAGMA quick_check'",
  "'e.parent = 1 AND e.deleted = 0'",
  "'e.closed_commit IS NOT NULL'",
  "'lid = ? AND uid = ?'",
  `\`\${where} ORDER BY e.place\``,
])('%s outside of state is SQL', (text) => {
  expect(strayStatements([{ path: 'src/tasks/a.ts', text: `\nuse(${text})` }])).toEqual([
    'src/tasks/a.ts:2: only state contains SQL: add a named function to src/state/index/',
  ])
  expect(strayStatements([{ path: 'src/state/index/a.ts', text }])).toEqual([])
})

test('prose, patterns and comments are not SQL', () => {
  const text =
    "say('Select a task from the list', 'Update the plan')\n// SELECT 1 FROM x\n/(?:a|b)=\\?/.test(`e.g. a = b`)"
  expect(strayStatements([{ path: 'src/tasks/a.ts', text }])).toEqual([])
})

test('a function that takes SQL is not called outside of state', () => {
  const text = "import { selectEntries } from '../state/index/select-entries.ts'\n"
  expect(strayUsersOfSql([{ path: 'src/tasks/a.ts', text }])).toEqual([
    'src/tasks/a.ts:1: only state imports src/state/index/select-entries.ts',
  ])
  expect(strayUsersOfSql([{ path: 'src/state/index/a.ts', text }])).toEqual([])
})
