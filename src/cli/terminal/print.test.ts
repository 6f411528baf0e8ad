import { expect, test } from 'bun:test'
import type { CallContext } from '../call-context.ts'
import { printResult } from './print.ts'

function printed(value: unknown): string {
  const chunks: string[] = []
  const out = { write: (text: string) => void chunks.push(text), flush: () => {} }
  printResult({ out, display: { name: 'gza' } } as unknown as CallContext, { json: true }, value, [])
  return chunks.join('')
}

test('a list has an element a line, anything else one line, and both parse', () => {
  expect(printed([{ a: 1 }, { a: 2 }])).toBe('[{"a":1},\n{"a":2}]\n')
  expect(printed([])).toBe('[]\n')
  expect(printed({ a: [1, 2] })).toBe('{"a":[1,2]}\n')
})

test('hidden characters are escaped and integers of SQLite are numbers', () => {
  expect(printed({ a: 'x\u202e\x7f\u2028', n: 5n })).toBe('{"a":"x\\u202e\\u007f\\u2028","n":5}\n')
})
