import { expect, test } from 'bun:test'
import { isLeft, lockAt, lockWords } from './ref-lock.ts'

const path = '/repo/.git/refs/tasks/main.lock'

test('a young lock is one of a git that works, an old one was left', () => {
  expect([0, 9, 10].map((seconds) => isLeft({ path, seconds }))).toEqual([false, false, true])
  expect(lockWords({ path, seconds: 1 })).toEqual({
    fact: `${path} has been there for 1 second`,
    next: 'Another git process holds the lock. Wait for it to end.',
  })
  expect(lockWords({ path, seconds: 3 * 86_400 })).toEqual({
    fact: `${path} has been there for 3 days`,
    next: 'If no git process works in this repository, it was left by one that died: move the file elsewhere.',
  })
})

test('a clock that went back makes no lock old', () => {
  expect(lockWords({ path, seconds: -3600 }).fact).toBe(`${path} has been there for 0 seconds`)
})

test('a lock that is gone is none', () => {
  expect(lockAt(path)).toBeNull()
})
