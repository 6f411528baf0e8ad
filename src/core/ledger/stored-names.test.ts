import { expect, test } from 'bun:test'
import { isBranchName, isCommitId, isRefPath, isRunName } from './stored-names.ts'

test.each(['main', 'feature/x', '20261117-write-it', 'a.b', 'evil\u009b31m', 'ä/日本'])('%s is a branch', (name) => {
  expect(isBranchName(name)).toBe(true)
})

test.each([
  ...['--output=/x', '-b', 'HEAD', '', 'a/../../b', '../x', '/x', 'x/', 'a//b', '.x', 'a/.x', 'x.lock', 'x.lock/y'],
  ...['a b', 'a\nb', 'a\0b', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[', 'a\\b', 'a@{1}', '@', 'a.', 7, null, undefined],
])('%o is not a branch', (name) => {
  expect(isBranchName(name)).toBe(false)
})

test('commits, refs and runs have forms of their own', () => {
  expect(['abc1', 'a'.repeat(40), 'a'.repeat(64)].every(isCommitId)).toBe(true)
  expect(['--output=x', 'HEAD', 'main', 'abc', `${'a'.repeat(40)}\n`, null, 7].some(isCommitId)).toBe(false)
  expect(isRefPath('refs/heads/-x')).toBe(true)
  expect(isRefPath('refs/tasks/a\0delete refs/heads/main')).toBe(false)
  expect(['20261117172327-2ca0e8', 'claim-6d6f', 'r1'].every(isRunName)).toBe(true)
  expect(['../../x', '..', 'a/b', '-x', '', null].some(isRunName)).toBe(false)
})
