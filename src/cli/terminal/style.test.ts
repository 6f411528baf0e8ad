import { expect, test } from 'bun:test'
import { COLOURED, chooseStyle, PLAIN } from './style.ts'

test('colours are for terminals that can and people who want them', () => {
  expect(chooseStyle(true, { TERM: 'xterm' })).toBe(COLOURED)
  expect(chooseStyle(true, { NO_COLOR: '' })).toBe(COLOURED)
  expect(chooseStyle(true, { NO_COLOR: '1' })).toBe(PLAIN)
  expect(chooseStyle(true, { TERM: 'dumb' })).toBe(PLAIN)
  expect(chooseStyle(false, { TERM: 'xterm' })).toBe(PLAIN)
})

test('FORCE_COLOR decides without a terminal too, and NO_COLOR wins over it', () => {
  expect(chooseStyle(false, { FORCE_COLOR: '1' })).toBe(COLOURED)
  expect(chooseStyle(false, { FORCE_COLOR: 'true', TERM: 'dumb' })).toBe(COLOURED)
  expect(chooseStyle(true, { FORCE_COLOR: '0' })).toBe(PLAIN)
  expect(chooseStyle(true, { FORCE_COLOR: 'false' })).toBe(PLAIN)
  expect(chooseStyle(true, { FORCE_COLOR: '' })).toBe(COLOURED)
  expect(chooseStyle(false, { FORCE_COLOR: '' })).toBe(PLAIN)
  expect(chooseStyle(true, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(PLAIN)
})
