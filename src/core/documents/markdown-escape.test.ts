import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { oneLine } from '../text/one-line.ts'
import { printable } from '../text/printable.ts'
import { escapeMarkdown } from './markdown-escape.ts'

const ZERO_WIDTH_SPACE = '\u200b'

/** What a reader sees of the line as a list item, in a real CommonMark renderer with all of GitHub's extensions. */
function shown(markdown: string): string {
  const html = Bun.markdown.html(`- task-a3f8: ${markdown}\n`, { autolinks: true, latexMath: true, wikiLinks: true })
  const item = /^<ul>\n<li>task-a3f8:(?<inner>.*)<\/li>\n<\/ul>\n$/s.exec(html)?.groups?.inner
  if (item === undefined || item.includes('<')) throw new Error(`more than text: ${html}`)
  return withoutMarks(decode(item)).trim()
}

function decode(html: string): string {
  const named: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
  return html.replace(/&(?:lt|gt|quot|amp);/g, (entity) => named[entity] ?? entity)
}

function withoutMarks(text: string): string {
  return text.replaceAll(ZERO_WIDTH_SPACE, '')
}

const markup = fc.constantFrom(
  ...[
    '\n',
    '\r\n',
    '\n\n',
    '\t',
    '    ',
    '- [ ] ',
    '* ',
    '1. ',
    '# ',
    '> ',
    '---',
    '===',
    '```',
    '`',
    '*',
    '**',
    '_',
    '__',
  ],
  ...['~', '~~', '$', '$$', '[', ']', '](', '![', '[[', ']]', '[^1]', '[x]: ', '(', ')', '<', '>', '<b>', '</details>'],
  ...['<!--', '-->', '<?', '<![CDATA[', '<a@b.cd>', '<http://x.yz>', '&', '&amp;', '&#35;', '&#x23;', '&nbsp;', ';'],
  ...[
    '\\',
    '\\\\',
    '|',
    '|-|',
    '@',
    '@bob',
    '@org/team',
    '#',
    '#12',
    'GH-7',
    ':tada:',
    ':',
    '://',
    'www.',
    '.com',
    'a@b.cd',
  ],
  ...[
    'https://x.yz/a_b',
    'HTTP://X.YZ',
    'mailto:a@b.cd',
    'a',
    'é',
    '日',
    '😀',
    ' ',
    '\u00a0',
    '\0',
    '\x1b[31m',
    '\u202e',
  ],
)
const hostile = fc.array(fc.oneof(markup, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 14 })

describe('escapeMarkdown', () => {
  test.each([
    'Add input validation to /api/users endpoint',
    "it's done, isn't it? (yes: 100 %, twice!)",
    'Implement ImageTransform_v2 and snake_case_names',
    'Fix std::io::Read at 12:30:45 - a + b = c; d | e',
    'Match src/*.ts in ~/code for R&D, a < b > c, x <= 3',
    'Compute 2 * 3 * 4',
    'Keep C:\\Users, $HOME, a @ b and # of items',
    'Größe, 日本語, שלום, 👩‍👩‍👧 and “quotes”',
  ])('ordinary text stays as it is: %s', (text) => {
    expect(escapeMarkdown(text)).toBe(text)
  })

  test.each([
    ['[WIP] call `run()`', '\\[WIP] call \\`run()\\`'],
    ['**bold** and __init__.py', '\\*\\*bold\\*\\* and \\_\\_init\\_\\_.py'],
    ['![x](y) <!-- hidden', '!\\[x](y) \\<!-- hidden'],
    ['</details> Map<string>', '\\</details> Map\\<string>'],
    ['see https://x.yz and www.x.yz', 'see https\\://x.yz and www\\.x.yz'],
    ['&lt; is \\<', '\\&lt; is \\\\<'],
    ['one\n- [ ] two\r\n\r\n# three', 'one - \\[ ] two # three'],
    ['\x1b[31m\u202e', '\\x1b[31m\\u202e'],
  ])('markup is escaped: %j', (text, markdown) => {
    expect(escapeMarkdown(text)).toBe(markdown)
  })

  test('a zero-width space separates a sign from the name that it would turn into a mention, a reference or an emoji', () => {
    expect(escapeMarkdown('@bob @org/team fixes #12, o/r#3 and gh-4 :tada:').replaceAll(ZERO_WIDTH_SPACE, '^')).toBe(
      '@^bob @^org/team fixes #^12, o/r#^3 and gh-^4 :^tada:',
    )
  })

  test('no mention, issue number or dollar formula is left of any text', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        expect(escapeMarkdown(parts.join(''))).not.toMatch(/@[a-z\d]|#\d|\bgh-\d|\$.*(?<!\u200b\\)\$/i)
      }),
      { numRuns: 1000 },
    )
  })

  test('a renderer shows exactly the given text, on one line', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        const text = parts.join('')
        expect(shown(escapeMarkdown(text))).toBe(withoutMarks(printable(oneLine(text))).trim())
      }),
      { numRuns: 2000 },
    )
  })

  test('a very long run of one sign takes no more than linear time', () => {
    for (const sign of ['`', '*', '_', '[', ']', '<', '&', '\\', ':', ':a', '@', '$', 'www.', ' ', '\n', '&a']) {
      expect(escapeMarkdown(sign.repeat(200_000)).length).toBeLessThan(2_000_000)
    }
  })
})
