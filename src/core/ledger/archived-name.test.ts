import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ARCHIVE, archivedName, readName, spellName } from './archived-name.ts'

const anyName = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '/', '%', '#', '2', '3', 'F') }))

test('a name encoded without slashes can be decoded, and no two names have the same encoding', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(spellName(name)).not.toContain('/')
      expect(readName(spellName(name))).toBe(name)
    }),
  )
})

test('the second archived ledger of a name still decodes to that name', () => {
  fc.assert(
    fc.property(anyName, fc.integer({ min: 2, max: 20 }), (name, n) => {
      expect(archivedName(`${ARCHIVE}${spellName(name)}`)).toBe(name)
      expect(archivedName(`${ARCHIVE}${spellName(name)}#${n}`)).toBe(name)
    }),
  )
})
