import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseStructured } from './parse-structured.ts'

test('every value of any JSON is found at its position', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const { positionOf } = parseStructured('plan.json', text)
      const lines = text.split('\n')
      const check = (inner: unknown, path: (string | number)[]): void => {
        const { line, column } = positionOf(path)
        const name = path.at(-1)
        const expected = typeof name === 'string' ? JSON.stringify(name) : (JSON.stringify(inner) ?? '').charAt(0)
        expect(lines[line - 1]?.slice(column - 1)).toStartWith(expected)
        if (Array.isArray(inner)) for (const [at, item] of inner.entries()) check(item, [...path, at])
        else if (typeof inner === 'object' && inner !== null)
          for (const [key, item] of Object.entries(inner)) check(item, [...path, key])
      }
      check(value, [])
    }),
    { numRuns: 200 },
  )
})
