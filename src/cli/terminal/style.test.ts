import { expect, test } from 'bun:test'
import { COLOURED, chooseStyle, PLAIN } from './style.ts'

test('colours are for terminals that can and people who want them', () => {
  expect(chooseStyle(true, { TERM: 'xterm' })).toBe(COLOURED)
  expect(chooseStyle(true, { NO_COLOR: '' })).toBe(COLOURED)
  expect(chooseStyle(true, { NO_COLOR: '1' })).toBe(PLAIN)
  expect(chooseStyle(true, { TERM: 'dumb' })).toBe(PLAIN)
  expect(chooseStyle(false, { FORCE_COLOR: '1' })).toBe(PLAIN)
})
