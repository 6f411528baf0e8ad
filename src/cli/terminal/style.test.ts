import { expect, test } from 'bun:test'
import { COLOURED, chooseInk, PLAIN } from './style.ts'

test('colours are for terminals that can and people who want them', () => {
  expect(chooseInk(true, { TERM: 'xterm' })).toBe(COLOURED)
  expect(chooseInk(true, { NO_COLOR: '' })).toBe(COLOURED)
  expect(chooseInk(true, { NO_COLOR: '1' })).toBe(PLAIN)
  expect(chooseInk(true, { TERM: 'dumb' })).toBe(PLAIN)
  expect(chooseInk(false, { FORCE_COLOR: '1' })).toBe(PLAIN)
})
