import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { frameOf, frameReader, type ReadFrame } from './frames.ts'

const MOST = 1000

/** Reads the bytes in pieces of these sizes; the last size is repeated. */
function readIn(bytes: Uint8Array, sizes: readonly number[], most = MOST): ReadFrame {
  const read = frameReader(most)
  let found: ReadFrame = { kind: 'incomplete' }
  for (let at = 0, turn = 0; at < bytes.length && found.kind === 'incomplete'; turn++) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? bytes.length
    found = read(bytes.subarray(at, at + size))
    at += size
  }
  return found
}

test('a frame is read as it was written, whatever its pieces are', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.integer({ min: 1, max: 9 })), (value, sizes) => {
      const found = readIn(frameOf(value), sizes, 1_000_000)
      expect(found.kind).toBe('whole')
      const body = found.kind === 'whole' ? Buffer.from(found.body).toString() : ''
      expect(body).toBe(JSON.stringify(value))
    }),
  )
})

test('any other bytes are incomplete, or too many, or a frame of the length that they begin with', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 9 })), (bytes, sizes) => {
      const found = readIn(bytes, sizes)
      const length = bytes.length < 4 ? null : Buffer.from(bytes).readUInt32BE()
      if (length === null || (length <= MOST && bytes.length < length + 4)) expect(found.kind).toBe('incomplete')
      else if (length > MOST) expect(found.kind).toBe('excess')
      else if (found.kind === 'whole') expect([...found.body]).toEqual([...bytes.subarray(4, 4 + length)])
      else expect(found.kind).toBe('excess')
    }),
  )
})

test('a huge length takes no memory', () => {
  expect(frameReader(MOST)(Buffer.from([0xff, 0xff, 0xff, 0xff])).kind).toBe('excess')
})

test('bytes after the frame are too many', () => {
  expect(readIn(Buffer.concat([frameOf('a'), Buffer.from('b')]), []).kind).toBe('excess')
})
