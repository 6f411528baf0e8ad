import { expect, test } from 'bun:test'
import { readSince, sinceTime } from './since.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')

test.each([
  ['30m', '2026-11-18T11:30:00.000Z'],
  ['2h', '2026-11-18T10:00:00.000Z'],
  ['2d', '2026-11-16T12:00:00.000Z'],
  ['1w', '2026-11-11T12:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-11-01T09:30', '2026-11-01T09:30:00.000Z'],
  ['2026-11-01T09:30:00+02:00', '2026-11-01T07:30:00.000Z'],
])('%s is %s', (text, time) => {
  expect(new Date(sinceTime(readSince(text), NOW)).toISOString()).toBe(time)
})

test.each([
  '',
  '2',
  'd',
  '2x',
  '2026-13-01',
  '2026-02-31x',
  '2026-02-30',
  '2025-02-29T10:00',
  'yesterday',
  '-2d',
  '9999999d',
])('%s is refused', (text) => {
  expect(() => readSince(text)).toThrow('is not a time')
})
