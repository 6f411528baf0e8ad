import { expect, test } from 'bun:test'
import { isCommitId, isRunName } from './stored-names.ts'

test('commits and runs have forms of their own', () => {
  expect(['abc1', 'a'.repeat(40), 'a'.repeat(64)].every(isCommitId)).toBe(true)
  expect(['--output=x', 'HEAD', 'main', 'abc', `${'a'.repeat(40)}\n`, null, 7].some(isCommitId)).toBe(false)
  expect(['20261117172327-2ca0e8', 'claim-6d6f', 'r1'].every(isRunName)).toBe(true)
  expect(['../../x', '..', 'a/b', '-x', '', null].some(isRunName)).toBe(false)
})
