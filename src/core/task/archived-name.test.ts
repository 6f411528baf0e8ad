import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ARCHIVE, archivedName, readName, spellName } from './archived-name.ts'

const anyName = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '/', '%', '#', '2', '3', 'F') }))

test('a name spelled without slashes can be read again, and no two names are spelled alike', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(spellName(name)).not.toContain('/')
      expect(readName(spellName(name))).toBe(name)
    }),
  )
})

test('the second archived ledger of a name has that name', () => {
  fc.assert(
    fc.property(anyName, fc.integer({ min: 2, max: 20 }), (name, n) => {
      expect(archivedName(`${ARCHIVE}${spellName(name)}`)).toBe(name)
      expect(archivedName(`${ARCHIVE}${spellName(name)}#${n}`)).toBe(name)
    }),
  )
})
