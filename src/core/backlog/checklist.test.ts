import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ChecklistItem, readChecklist } from './checklist.ts'

/** Only the tree: `[text, children]`, a finished item with a ✓ before its text. */
type Tree = [string, ...Tree[]]

function treeOf(items: readonly ChecklistItem[]): Tree[] {
  return items.map((item) => [`${item.done ? '✓ ' : ''}${item.text}`, ...treeOf(item.children)])
}

function everyItem(items: readonly ChecklistItem[]): ChecklistItem[] {
  return items.flatMap((item) => [item, ...everyItem(item.children)])
}

describe('what is an item', () => {
  test('every bullet and both boxes, with line numbers from 1', () => {
    expect(readChecklist('- [ ] a\n* [x] b\n+ [X] c\n\n1. [ ] d\n23) [x] e\n')).toEqual({
      items: [
        { line: 1, text: 'a', done: false, children: [] },
        { line: 2, text: 'b', done: true, children: [] },
        { line: 3, text: 'c', done: true, children: [] },
        { line: 5, text: 'd', done: false, children: [] },
        { line: 6, text: 'e', done: true, children: [] },
      ],
      skipped: [],
    })
  })

  test.each([
    ['two spaces', '  '],
    ['four spaces', '    '],
    ['three spaces', '   '],
    ['tabs', '\t'],
  ])('items nest by %s', (_name, step) => {
    const text = `- [ ] a\n${step}- [x] b\n${step}${step}- [ ] c\n${step}- [ ] d\n- [ ] e`
    expect(treeOf(readChecklist(text).items)).toEqual([['a', ['✓ b', ['c']], ['d']], ['e']])
  })

  test('numbers may be aligned to the right', () => {
    expect(treeOf(readChecklist(' 9. [ ] nine\n10. [ ] ten\n    - [ ] under ten').items)).toEqual([
      ['nine'],
      ['ten', ['under ten']],
    ])
  })

  test('an item at a level that was never opened is a sibling of the item it is to the left of', () => {
    expect(treeOf(readChecklist('- [ ] a\n    - [ ] b\n  - [ ] c').items)).toEqual([['a', ['b'], ['c']]])
  })

  test('a byte order mark and Windows or old Mac line ends make no difference', () => {
    const text = '# Group\n- [ ] a\n  more\n\n  notes\n- [x] b\n'
    const plain = readChecklist(text)
    expect(readChecklist(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(plain)
    expect(readChecklist(text.replaceAll('\n', '\r'))).toEqual(plain)
  })

  test('without any checkbox the bullets are the items', () => {
    const { items, skipped } = readChecklist('Plan:\n\n- a\n  - b\n* c\n1. d\n-\n')
    expect(treeOf(items)).toEqual([['a', ['b']], ['c'], ['d']])
    expect(skipped).toEqual([{ line: 7, why: 'a bullet without a text' }])
  })

  test('prose, rules and tables are not items', () => {
    expect(readChecklist('Hello\n\n---\n\n* * *\n\n| [ ] a |\n|---|\n\n<details>\n</details>\n')).toEqual({
      items: [],
      skipped: [],
    })
  })

  test('lists in the front matter at the top of a file are not items', () => {
    expect(treeOf(readChecklist('---\ntags:\n- x\n- y\n---\n- a\n').items)).toEqual([['a']])
  })

  test('a checklist between two rules is not front matter', () => {
    expect(treeOf(readChecklist('---\nnote: x\n- [ ] a\n---\n- [ ] b\n').items)).toEqual([['a'], ['b']])
  })
})

describe('what belongs to an item', () => {
  function notesOf(text: string): [string, string | undefined][] {
    return everyItem(readChecklist(text).items).map((item) => [item.text, item.notes])
  }

  test('a wrapped line continues the text, indented or not', () => {
    expect(notesOf('- [ ] one\n      two\nthree\n- [ ] four')).toEqual([
      ['one two three', undefined],
      ['four', undefined],
    ])
  })

  test('after a hard line break the rest is notes', () => {
    expect(notesOf('- [ ] one  \n  two\n  three')).toEqual([['one', 'two\nthree']])
  })

  test('paragraphs and plain bullets become notes, without their common indentation', () => {
    const text =
      '- [ ] a\n\n    First.\n\n\n    - plain\n      - deeper\n    wraps\nlazily\n\nProse of nobody.\n- [ ] b'
    expect(notesOf(text)).toEqual([
      ['a', 'First.\n\n\n- plain\n  - deeper\nwraps\nlazily'],
      ['b', undefined],
    ])
  })

  test('the indentation of a paragraph after the children decides which item it belongs to', () => {
    expect(notesOf('- [ ] a\n  before\n\n  one\n  - [ ] b\n\n    of b\n\n  of a\n')).toEqual([
      ['a before', 'one\n\nof a'],
      ['b', 'of b'],
    ])
  })

  test('a checkbox below a plain bullet is a child of the item around both', () => {
    expect(readChecklist('- [ ] a\n  - plain\n    - [x] b\n')).toEqual({
      items: [
        {
          ...{ line: 1, text: 'a', done: false, notes: '- plain' },
          children: [{ line: 3, text: 'b', done: true, children: [] }],
        },
      ],
      skipped: [],
    })
  })

  test('code is kept unchanged, and checkboxes in it are not items', () => {
    const text = '- [ ] a\n  ~~~md\n\t- [ ] not a task\n\n  # no heading\n  ~~~\n```\n- [ ] nor this\n```\n- [ ] b'
    expect(readChecklist(text).skipped).toEqual([])
    expect(notesOf('- [ ] a\n  ~~~~md\n  - [ ] not a task\n\n  ~~~\n\n    # no heading\n  ~~~~\n- [ ] b')).toEqual([
      ['a', '~~~~md\n- [ ] not a task\n\n~~~\n\n  # no heading\n~~~~'],
      ['b', undefined],
    ])
  })

  test('the group is the nearest heading above, of either form; a heading inside an item is not a group', () => {
    const text =
      '- [ ] a\n# One #\n- [ ] b\n\n  ## inner\n  - [ ] c\nTwo\n---\n- [ ] d\n\nThree\n===\n- [ ] e\n##\n- [ ] f'
    const groups = everyItem(readChecklist(text.replace('\nTwo', '\n\nTwo')).items).map((item) => [
      item.text,
      item.group,
    ])
    expect(groups).toEqual([
      ['a', undefined],
      ['b', 'One'],
      ['c', 'One'],
      ['d', 'Two'],
      ['e', 'Three'],
      ['f', undefined],
    ])
  })
})

describe('what is reported', () => {
  test.each([
    ['-[ ] a', 'no space before the checkbox'],
    ['1.[x] a', 'no space before the checkbox'],
    ['- [ ]a', 'no space after the checkbox'],
    ['- [x]', 'a checkbox without a text'],
    ['- [] a', 'the box is neither [ ] nor [x]'],
    ['- [ x] a', 'the box is neither [ ] nor [x]'],
    ['- [-] a', 'the box is neither [ ] nor [x]'],
    ['[ ] a', 'a checkbox without a bullet'],
    ['> * [ ] a', 'a checkbox inside a quotation'],
    ['- plain', 'a plain bullet among checkboxes'],
    ['- [x](https://x.yz) a link', 'a plain bullet among checkboxes'],
    ['- [WIP] a label', 'a plain bullet among checkboxes'],
  ])('%s: %s', (line, why) => {
    expect(readChecklist(`- [ ] fine\n\n${line}\n`)).toEqual({
      items: [{ line: 1, text: 'fine', done: false, children: [] }],
      skipped: [{ line: 3, why }],
    })
  })

  test('the text below a malformed item does not become a note of another, and its children are kept', () => {
    expect(readChecklist('- [ ] a\n  - [] b\n    of b\n\n    more of b\n    - [ ] c\n')).toEqual({
      items: [{ line: 1, text: 'a', done: false, children: [{ line: 6, text: 'c', done: false, children: [] }] }],
      skipped: [{ line: 2, why: 'the box is neither [ ] nor [x]' }],
    })
  })

  test('checkboxes in a comment, and in a code block or comment that never ends', () => {
    const inComment = readChecklist('<!--\n- [ ] a\n-->\n- [ ] b')
    expect(inComment.skipped).toEqual([{ line: 2, why: 'inside a comment' }])
    expect(readChecklist('- [ ] a\n```\n- [ ] b').skipped).toEqual([
      { line: 3, why: 'inside the code block of line 2, which never ends' },
    ])
    expect(readChecklist('- [ ] a\n<!-- b\n- [ ] c').skipped).toEqual([
      { line: 3, why: 'inside the comment of line 2, which never ends' },
    ])
  })

  test('a code block that never ends inside an item ends with the item', () => {
    const { items, skipped } = readChecklist('- [ ] a\n  ```\n  - [ ] b\n- [ ] c')
    expect(treeOf(items)).toEqual([['a'], ['c']])
    expect(skipped).toEqual([{ line: 3, why: 'inside the code block of line 2, which never ends' }])
  })
})

describe('any document', () => {
  const CHECKBOX = /^\s*(?:>\s*)?(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\]\s/
  const part = fc.constantFrom(
    ...[
      '- [ ] ',
      '* [x] ',
      '1. [X] ',
      '- [] ',
      '-[ ] ',
      '[ ] ',
      '- ',
      '+ [ ]',
      '> - [ ] ',
      '# ',
      '---',
      '===',
      '<!--',
      '-->',
    ],
    ...[
      '  ',
      '    ',
      '\t',
      ' ',
      'word ',
      '\\',
      '| a |',
      '<b>',
      '\u00a0',
      '\uFEFF',
      '---\na: b',
      '~~~',
      '- ~~~',
      '`',
      '#',
    ],
  )
  const line = fc.array(fc.oneof({ weight: 4, arbitrary: part }, fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 4,
  })
  const document = fc
    .array(line, { maxLength: 25 })
    .chain((lines) => fc.constantFrom('\n', '\r\n', '\r').map((end) => lines.map((parts) => parts.join('')).join(end)))

  test('is read without an error, and each line at most once', () => {
    fc.assert(
      fc.property(document, (text) => {
        const { items, skipped } = readChecklist(text)
        const lines = [...everyItem(items), ...skipped].map(({ line }) => line)
        expect(new Set(lines).size).toBe(lines.length)
        expect(everyItem(items).every((item) => item.text.trim() === item.text && item.text !== '')).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('every checkbox outside of code is an item or reported', () => {
    fc.assert(
      fc.property(document, (text) => {
        const plain = text.replaceAll('~', '-')
        const { items, skipped } = readChecklist(plain)
        const known = new Set([...everyItem(items), ...skipped].map(({ line }) => line))
        const lines = plain.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
        const forgotten = lines.filter((line, at) => CHECKBOX.test(line) && !line.includes('`') && !known.has(at + 1))
        expect(forgotten).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('long lines and many lines take no more than linear time', () => {
    const long = ['- [ ] ', '#', '# ', '[', '> ', '- ', '\t', '`', '-', '= ', '&#']
    for (const sign of long) expect(readChecklist(sign.repeat(100_000)).skipped.length).toBeLessThan(2)
    expect(everyItem(readChecklist('- [ ] a\n\n  b\n'.repeat(20_000)).items).length).toBe(20_000)
    expect(readChecklist(`- [ ] a\n${'\n'.repeat(200_000)}  b`).items[0]?.notes).toBe('b')
  })
})
