import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { splitLines } from './split-lines.ts'

type Line = [line: string, droppedBytes: number]

function linesOf(chunks: Uint8Array[], longest?: number): Line[] {
  const lines: Line[] = []
  const splitter = splitLines((line, dropped) => lines.push([line, dropped]), longest)
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}

function whole(...lines: string[]): Line[] {
  return lines.map((line) => [line, 0])
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
  for (let at = 0; at <= 7; at += 1) expect(linesOf(cut(bytes('é€😀\n'), [at]))).toEqual(whole('é€😀'))
})

test('lines may end as on Windows, and a carriage return elsewhere stays', () => {
  expect(linesOf([bytes('one\r\n\r\na\rb\r'), bytes('\nlast\r')])).toEqual(whole('one', '', 'a\rb', 'last'))
})

test('the last line needs no newline, and a newline at the end makes no empty line', () => {
  expect(linesOf([bytes('one\ntwo')])).toEqual(whole('one', 'two'))
  expect(linesOf([bytes('one\n')])).toEqual(whole('one'))
  expect(linesOf([])).toEqual([])
})

test('bytes that are not text become replacement characters', () => {
  expect(linesOf([Uint8Array.of(0x61, 0xff, 0x62, 0x0a)])).toEqual(whole('a\ufffdb'))
})

test('a line over the limit is cut, with the number of dropped bytes, and the next line is complete', () => {
  expect(linesOf([bytes('abcdef'), bytes('gh\r\nnext\n')], 4)).toEqual([
    ['abcd', 5],
    ['next', 0],
  ])
  expect(linesOf([bytes('abcde')], 4)).toEqual([['abcd', 1]])
  expect(linesOf([bytes('abcd\n')], 4)).toEqual(whole('abcd'))
})

test('the caller may reuse a chunk', () => {
  const lines: string[] = []
  const splitter = splitLines((line) => lines.push(line))
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
        expect(linesOf(cut(bytes(text), lengths))).toEqual(whole(...expected))
      },
    ),
  )
})

test('a 40 MB line in small chunks arrives whole: a splitter that copied its buffer each time would not finish', () => {
  const chunk = bytes('x'.repeat(1000))
  const lengths: number[] = []
  const splitter = splitLines((line) => lengths.push(line.length))
  for (let count = 0; count < 40_000; count += 1) splitter.push(chunk)
  splitter.push(bytes('\n'))
  expect(lengths).toEqual([40_000_000])
})
