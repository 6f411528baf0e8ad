import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { canonical, compareText, greater } from './canonical.ts'

test('equal values have equal bytes, whatever the order of their keys', () => {
  expect(canonical({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonical(reversed(value))).toBe(canonical(value))
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a key without a value is the same as an absent one', () => {
  expect(canonical({ a: undefined, b: 1 })).toBe(canonical({ b: 1 }))
})

test('text is compared by code unit, never by locale', () => {
  expect(['b', 'ä', 'a', 'B', 'é', 'z', ''].sort(compareText)).toEqual(['', 'B', 'a', 'b', 'z', 'ä', 'é'])
})

test('the greater of two values is the same from both sides', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(canonical(greater(a, b))).toBe(canonical(greater(b, a)))
      expect([canonical(a), canonical(b)]).toContain(canonical(greater(a, b)))
    }),
  )
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}
