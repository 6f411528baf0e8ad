import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { printable, printableJson } from './printable.ts'

const unsafe = fc.constantFrom(...'\0\x07\b\t\n\v\f\r\x1b\x7f\x80\x85\x9b\x9f\u2028\u2029\u202a\u202e\u2066\u2069')
const text = fc
  .array(fc.oneof(unsafe, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''))

describe('printable', () => {
  test('a terminal escape is shown, not obeyed', () => {
    expect(printable('\x1b[31mred\x07')).toBe('\\x1b[31mred\\x07')
  })

  test('a right-to-left override and a line separator are shown', () => {
    expect(printable('safe\u202eevil\u2028')).toBe('safe\\u202eevil\\u2028')
  })

  test('a list line keeps no newline and no tab, a block keeps both', () => {
    expect(printable('a\n\tb\r')).toBe('a\\n\\tb\\r')
    expect(printable('a\n\tb\r', { multiline: true })).toBe('a\n\tb\\r')
  })

  test('letters of any script, emoji, quotes and backslashes stay as they are', () => {
    const plain = '日本 שלום 👩‍👩‍👧 "quoted" \\ | `code`'
    expect(printable(plain)).toBe(plain)
  })

  test('no control character, separator or bidi override is left, whatever the text', () => {
    fc.assert(
      fc.property(text, (input) => {
        expect(printable(input)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
        expect(printable(input, { multiline: true }).replaceAll(/[\n\t]/g, '')).not.toMatch(
          /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u,
        )
      }),
    )
  })

  test('escaping twice is the same as escaping once', () => {
    fc.assert(fc.property(text, (input) => expect(printable(printable(input))).toBe(printable(input))))
  })
})

describe('printableJson', () => {
  test('the escaped JSON has no hidden character and parses to the same value', () => {
    fc.assert(
      fc.property(text, (input) => {
        const json = printableJson(JSON.stringify({ input }))
        expect(json).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
        expect(JSON.parse(json)).toEqual({ input })
      }),
    )
  })
})
