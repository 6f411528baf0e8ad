import { expect, test } from 'bun:test'
import { briefText, shorten, shortenToUnits } from './shorten.ts'

test('a text that is too long ends with an ellipsis, without a blank before it', () => {
  expect(shorten('four', 4)).toBe('four')
  expect(shorten('fives', 4)).toBe('fiv…')
  expect(shorten('to be', 4)).toBe('to…')
})

test('characters are counted, or the units that they take, and none is cut in half', () => {
  expect(shorten('🦊🦊🦊', 3)).toBe('🦊🦊🦊')
  expect(shorten('🦊🦊🦊🦊', 3)).toBe('🦊🦊…')
  expect(shortenToUnits('ab🦊cd', 4)).toBe('ab…')
})

test('a text from others becomes one short line that is safe to print', () => {
  expect(briefText(' two\n\tlines\u001b[31m ')).toBe('two lines\\x1b[31m')
  expect(briefText('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`)
})
