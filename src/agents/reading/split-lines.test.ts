import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { growLine } from './grow-line.ts'
import { decodeLines, lastLines, splitLines } from './split-lines.ts'

function linesOf(chunks: Uint8Array[]): string[] {
  const lines: string[] = []
  const splitter = splitLines((whole) => lines.push(...decodeLines(whole)))
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** The bytes of a text, cut into pieces of the given lengths, the last piece taking the rest. */
function cut(all: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let start = 0
  for (const length of lengths) {
    pieces.push(all.subarray(start, start + length))
    start += length
  }
  return [...pieces, all.subarray(start)]
}

test('a character cut between two chunks arrives whole', () => {
  for (let at = 0; at <= 7; at += 1) expect(linesOf(cut(bytes('é€😀\n'), [at]))).toEqual(['é€😀'])
})

test('lines may end as on Windows, and a carriage return elsewhere stays', () => {
  expect(linesOf([bytes('one\r\n\r\na\rb\r'), bytes('\nlast\r')])).toEqual(['one', '', 'a\rb', 'last'])
})

test('the last line needs no newline, and a newline at the end makes no empty line', () => {
  expect(linesOf([bytes('one\ntwo')])).toEqual(['one', 'two'])
  expect(linesOf([bytes('one\n')])).toEqual(['one'])
  expect(linesOf([])).toEqual([])
})

test('bytes that are not text become replacement characters', () => {
  expect(linesOf([Uint8Array.of(0x61, 0xff, 0x62, 0x0a)])).toEqual(['a\ufffdb'])
})

/** The line that comes out of a limit of 80 bytes with edges of 30. */
function cutLine(text: string, chunk: number): string {
  const line = growLine(80, 30)
  const all = bytes(text)
  for (let start = 0; start < all.length; start += chunk) line.append(all.subarray(start, start + chunk))
  const taken = decodeLines(line.take()).join()
  expect(line.isEmpty()).toBe(true)
  return taken
}

test('a line over the limit keeps its head and its tail, with the number of bytes that were cut', () => {
  const text = `begin${'.'.repeat(1000)}end`
  for (const chunk of [1, 7, 29, 30, 31, 79, 80, 81, 5000]) {
    const [head = '', count, tail = ''] = cutLine(text, chunk).split(/… \((.*) bytes cut\) …/)
    expect([head.slice(0, 6), tail.slice(-4)]).toEqual(['begin.', '.end'])
    expect(head.length + Number(count) + tail.length).toBe(text.length)
    expect(Math.max(head.length, tail.length)).toBeLessThanOrEqual(30)
  }
  expect(cutLine('x'.repeat(80), 9)).toBe('x'.repeat(80))
})

test('an event with one long text stays an event where it is cut, whatever the text consists of', () => {
  const units = ['\\', '"', '\n', 'é', '😀', 'x', '\u0007', '\\"']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...units), { minLength: 90, maxLength: 120 }), fc.nat(40), (text, chunk) => {
      const line = JSON.stringify({ a: 1, t: text.map((unit) => `${unit}x`).join(''), z: 2 })
      const event = JSON.parse(cutLine(line, chunk + 1))
      expect({ ...event, t: '' }).toEqual({ a: 1, t: '', z: 2 })
      expect(event.t).toContain(' bytes cut) …')
      expect(event.t).not.toContain('\ufffd')
    }),
  )
})

test('the last lines are whole ones, however long the last one is', () => {
  const last = (text: string, most: number) => decodeLines(lastLines(bytes(text), most))
  expect(last('one\ntwo\nthree', 6)).toEqual(['three'])
  expect(last('one\ntwo\nthree', 9)).toEqual(['three'])
  expect(last('one\ntwo\nthree', 10)).toEqual(['two', 'three'])
  expect(last('one\ntwo\nthree', 3)).toEqual(['three'])
  expect(last('one', 0)).toEqual(['one'])
})

test('the caller may reuse a chunk', () => {
  const lines: string[] = []
  const splitter = splitLines((whole) => lines.push(...decodeLines(whole)))
  const chunk = bytes('ab')
  splitter.push(chunk)
  chunk.fill(0x7a)
  splitter.push(bytes('c\n'))
  expect(lines).toEqual(['abc'])
})

test('for any chunks, the lines are those of the text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.array(fc.nat({ max: 5 })),
      fc.boolean(),
      (parts, lengths, hasFinalNewline) => {
        const lines = parts.map((part) => part.replace(/[\r\n]/g, ' '))
        const text = lines.join('\n') + (hasFinalNewline ? '\n' : '')
        const split = text.split('\n')
        const expected = text === '' ? [] : split.slice(0, split.at(-1) === '' ? -1 : undefined)
        expect(linesOf(cut(bytes(text), lengths))).toEqual(expected)
      },
    ),
  )
})

test('a 30 MB line in small chunks arrives whole: a splitter that copied its buffer each time would not finish', () => {
  const chunk = bytes('x'.repeat(1000))
  const lengths: number[] = []
  const splitter = splitLines((line) => lengths.push(line.length))
  for (let count = 0; count < 30_000; count += 1) splitter.push(chunk)
  splitter.push(bytes('\n'))
  expect(lengths).toEqual([30_000_000])
})
