import { expect, test } from 'bun:test'
import { changedLines } from './full-screen.ts'

test('only lines that changed are written, each to its place', () => {
  expect(changedLines(['a', 'b', 'c'], ['a', 'x', 'c'], 10)).toBe('\x1b[2;1Hx\x1b[K')
  expect(changedLines(['a', 'b'], ['a'], 10)).toBe('\x1b[2;1H\x1b[K')
  expect(changedLines(['a'], ['a'], 10)).toBe('')
})

test('after a full line nothing is erased: it would be its last character', () => {
  expect(changedLines([], ['12345'], 5)).toBe('\x1b[1;1H12345')
})
