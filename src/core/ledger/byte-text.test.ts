import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bytesOfText, textOfBytes } from './byte-text.ts'

test('any bytes are restored unchanged, also next to UTF-8 text', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string({ unit: 'grapheme' }), (bytes, text) => {
      const odd = Buffer.from(bytes)
      expect(bytesOfText(`${text}\n${textOfBytes(odd)}\n`)).toEqual(
        Buffer.concat([Buffer.from(`${text}\n`), odd, Buffer.from('\n')]),
      )
    }),
  )
})

test('plain ASCII bytes are readable text', () => {
  expect(textOfBytes(Buffer.from('{"id":"task-12\xff', 'latin1'))).toBe('{"id":"task-12\udcff')
})
