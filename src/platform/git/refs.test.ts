import { expect, test } from 'bun:test'
import { isBranchName, isRefPath } from './refs.ts'

test.each(['main', 'feature/x', '20261117-write-it', 'a.b', 'evil\u009b31m', 'ä/日本'])('%s is a branch', (name) => {
  expect(isBranchName(name)).toBe(true)
})

test.each([
  ...['--output=/x', '-b', 'HEAD', '', 'a/../../b', '../x', '/x', 'x/', 'a//b', '.x', 'a/.x', 'x.lock', 'x.lock/y'],
  ...['a b', 'a\nb', 'a\0b', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[', 'a\\b', 'a@{1}', '@', 'a.', 7, null, undefined],
])('%o is not a branch', (name) => {
  expect(isBranchName(name)).toBe(false)
})

test('a whole ref may have what a branch may not start with', () => {
  expect(isRefPath('refs/heads/-x')).toBe(true)
  expect(isRefPath('refs/tasks/a\0delete refs/heads/main')).toBe(false)
})
