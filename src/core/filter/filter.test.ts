import { expect, test } from 'bun:test'
import { parseFilter, unknownFields, whyBadFilter } from './filter.ts'

const NOTHING = { statuses: [], fields: [], times: [], files: [], texts: [] }

test('a line is words, phrases, beginnings of words and fields, each with an optional minus', () => {
  expect(parseFilter('parser "syntax error" pars* -legacy title:lexer -note:"two words"')).toEqual({
    ...NOTHING,
    texts: [
      { field: null, words: 'parser', isPrefix: false, isNot: false },
      { field: null, words: 'syntax error', isPrefix: false, isNot: false },
      { field: null, words: 'pars', isPrefix: true, isNot: false },
      { field: null, words: 'legacy', isPrefix: false, isNot: true },
      { field: 'title', words: 'lexer', isPrefix: false, isNot: false },
      { field: 'note', words: 'two words', isPrefix: false, isNot: true },
    ],
  })
})

test('fields with values filter, and values are separated by commas', () => {
  const line =
    'status:ready,failed type:plan -priority:low agent:claude group:"a, b" milestone:M1 since:2d file:src/*.ts'
  expect(parseFilter(line)).toEqual({
    statuses: [{ isNot: false, words: ['ready', 'failed'] }],
    fields: [
      { field: 'type', isNot: false, values: ['plan'] },
      { field: 'priority', isNot: true, values: ['low'] },
      { field: 'agent', isNot: false, values: ['claude'] },
      { field: 'group', isNot: false, values: ['a, b'] },
      { field: 'milestone', isNot: false, values: ['M1'] },
    ],
    times: [{ isNot: false, since: { ago: 172_800_000 } }],
    files: [{ isNot: false, pattern: 'src/*.ts' }],
    texts: [],
  })
})

test('every line can be read, and what has no letter or digit is not searched for', () => {
  for (const line of [
    '',
    ' ',
    '"',
    '""',
    '-',
    '--',
    '*',
    '-*',
    ':',
    'a:',
    '"""',
    '- "',
    '😀',
    '\0',
    '\ud800',
    '()',
    '^',
  ])
    expect({ line, filter: parseFilter(line).texts.filter(({ words }) => words !== 'a:') }).toEqual({
      line,
      filter: [],
    })
  expect(parseFilter('"not closed').texts).toEqual([
    { field: null, words: 'not closed', isPrefix: false, isNot: false },
  ])
})

test('what looks like a field and is none is text, but not in a saved filter', () => {
  expect(parseFilter('node:fs').texts).toEqual([{ field: null, words: 'node:fs', isPrefix: false, isNot: false }])
  expect(unknownFields('node:fs stauts:done "a:b" note:x')).toEqual(['node', 'stauts'])
  expect(whyBadFilter('status:ready -priority:low parser')).toBeNull()
  expect(whyBadFilter('stauts:ready')).toStartWith("'stauts' is not a field of a filter. Fields: status, type")
  expect(whyBadFilter('priority:urgent')).toBe("'urgent' is not a valid priority. One of: critical, high, medium, low")
  expect(whyBadFilter('  ')).toBe('the filter is empty')
})

test('a bad value is refused with the values there are', () => {
  expect(() => parseFilter('status:sleeping')).toThrow("'sleeping' is not a valid status")
  expect(() => parseFilter('since:soon')).toThrow("'soon' is not a time")
  expect(() => parseFilter(`file:${'a'.repeat(1001)}`)).toThrow('longer than 1000')
})
