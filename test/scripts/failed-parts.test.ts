import { expect, test } from 'bun:test'
import { FailedParts } from '../../scripts/failed-parts.ts'

test('what was printed before each failed test is kept, once and without what belongs to others', () => {
  const failed = new FailedParts()
  const lines = ['(pass) one', '', 'error: two is not three', '(fail) two [3ms]', '(pass) three', ' 1 tests failed:']
  for (const line of [...lines, '(fail) two [3ms]', 'lint says no', '(fail) lint']) failed.read(line)
  expect(failed.parts).toEqual([
    ['', 'error: two is not three', '(fail) two [3ms]'],
    ['lint says no', '(fail) lint'],
  ])
})

test('of a very long failure, the end is kept', () => {
  const failed = new FailedParts()
  for (let n = 1; n <= 500; n++) failed.read(`line ${n}`)
  failed.read('(fail) long')
  expect(failed.parts.map((part) => part.length)).toEqual([80])
  expect(failed.parts[0]?.slice(-2)).toEqual(['line 500', '(fail) long'])
})
