import { expect, test } from 'bun:test'
import { isLeft, lockAt, lockWords } from './ref-lock.ts'

const path = '/repo/.git/refs/tasks/main.lock'

test('a recent lock belongs to a working git process, an old one was left behind', () => {
  expect([0, 9, 10].map((seconds) => isLeft({ path, seconds }))).toEqual([false, false, true])
  expect(lockWords({ path, seconds: 1 })).toEqual({
    fact: `${path} has existed for 1 second`,
    next: 'Another git process holds the lock. Wait for it to end.',
  })
  expect(lockWords({ path, seconds: 3 * 86_400 })).toEqual({
    fact: `${path} has existed for 3 days`,
    next: 'If no git process works in this repository, it was left by one that died: move the file elsewhere.',
  })
})

test('a clock that was set back does not make a lock old', () => {
  expect(lockWords({ path, seconds: -3600 }).fact).toBe(`${path} has existed for 0 seconds`)
})

test('a lock that no longer exists is not reported', () => {
  expect(lockAt(path)).toBeNull()
})
