import { expect, test } from 'bun:test'
import { redraw } from './live-block.ts'

test('lines are written over those that are there, and what is left of them is erased', () => {
  expect(redraw([], ['one', 'two'], 80)).toBe('\rone\x1b[K\ntwo\x1b[K\n\x1b[J')
  expect(redraw(['one', 'two'], ['three'], 80)).toBe('\r\x1b[2Athree\x1b[K\n\x1b[J')
  expect(redraw(['one'], [], 80)).toBe('\r\x1b[1A\x1b[J')
})

test('a line that a narrower terminal has wrapped takes as many rows as it needs, and is erased first', () => {
  expect(redraw(['x'.repeat(79), ''], [], 40)).toBe('\r\x1b[3A\x1b[J\x1b[J')
})
