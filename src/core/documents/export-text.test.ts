import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ChecklistItem, readChecklist } from '../backlog/checklist.ts'
import { type ExportRow, exportChecklist } from './export-text.ts'

function aRow(content: string, more: Partial<ExportRow> = {}): ExportRow {
  return {
    ...{
      id: 'task-a3f8',
      title: content.split('\n', 1)[0] ?? '',
      content,
      status: 'pending',
      group: null,
      children: [],
    },
    ...more,
  }
}

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\r\n',
        '\r',
        '- [ ] x',
        '- [] x',
        '[x] y',
        '```',
        '~~~',
        '- ```',
        '<!--',
        '-->',
        '# h',
        '  ',
      ),
      fc.constantFrom('=1+1', '@a', '-1', '+1', '\t', '"', ',', '---', '> - [ ] q', 'word'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

interface Texts {
  content: fc.Arbitrary<string>
  group: fc.Arbitrary<string | null>
}

function rowsOf(texts: Texts, levels = 3): fc.Arbitrary<ExportRow[]> {
  const row = fc
    .record({
      ...texts,
      status: fc.constantFrom<ExportRow['status'][]>('pending', 'completed', 'failed', 'skipped', 'in_progress'),
      children: levels === 1 ? fc.constant<ExportRow[]>([]) : rowsOf(texts, levels - 1),
    })
    .map(({ content, ...more }) => aRow(content, more))
  return fc.array(row, { maxLength: 3 })
}

describe('exportChecklist', () => {
  test('groups are headings, children nest, and the content is below its first line', () => {
    const rows = [
      aRow('Design\n\nWith a plan:\n- small\n  - smaller', {
        group: 'v2',
        children: [aRow('Draw it', { status: 'skipped' })],
      }),
      aRow('Loose end', { status: 'completed' }),
      aRow('Only the content', { title: 'A title', group: 'C #' }),
      aRow('Build', { group: 'v2' }),
      aRow('', { id: 'task-c5d0', group: 'C #' }),
    ]
    expect(exportChecklist(rows)).toBe(`- [x] Loose end

## v2

- [ ] Design

  With a plan:
  - small
    - smaller
  - [-] Draw it
- [ ] Build

## C # ##

- [ ] A title

  Only the content
- [ ] task-c5d0
`)
  })

  test('no tasks make an empty text', () => {
    expect(exportChecklist([])).toBe('')
  })

  test('checkboxes, open code blocks and comments in a content stay inside it', () => {
    const rows = [aRow('a\n- [ ] no task\n```\n- [ ] code'), aRow('b\n<!-- [ ]\n- [x] c'), aRow('d')]
    expect(exportChecklist(rows)).toBe(`- [ ] a

  - \\[ ] no task
  \`\`\`
  - [ ] code
  \`\`\`
- [ ] b

  <!-- [ ]
  - \\[x] c
  -->
- [ ] d
`)
  })

  type Tree = { text: string; done: boolean; dropped?: true; notes?: string; group?: string; children: Tree[] }

  function treeOf(items: readonly ChecklistItem[]): Tree[] {
    return items.map(({ line: _line, ...item }) => ({ ...item, children: treeOf(item.children) }))
  }

  function treeOfRows(rows: readonly ExportRow[], group?: string): Tree[] {
    return rows.map((row) => {
      const [text = '', ...rest] = row.content.split('\n')
      const inGroup = group ?? row.group ?? ''
      return {
        ...{ text, done: row.status === 'completed' },
        ...(row.status === 'skipped' ? { dropped: true as const } : {}),
        ...(rest.length > 0 ? { notes: rest.join('\n') } : {}),
        ...(inGroup === '' ? {} : { group: inGroup }),
        children: treeOfRows(row.children, inGroup),
      }
    })
  }

  function byGroup(rows: readonly ExportRow[]): ExportRow[] {
    const groups = Map.groupBy(rows, (row) => row.group ?? '')
    return [...(groups.get('') ?? []), ...[...groups].flatMap(([group, members]) => (group === '' ? [] : members))]
  }

  const word = fc
    .oneof(
      fc.constantFrom('a', '[x]', '# b', '- c', '*', '`d`', '\\', '日本', '1.', '<e>', '&amp;'),
      fc.string({ unit: 'grapheme' }),
    )
    .map((text) => text.replace(/\s/g, ''))
    .filter((text) => text !== '')
  const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  const noteLine = fc.constantFrom(
    'Some text',
    '- bullet',
    '  - deeper',
    '1. one',
    '# heading',
    '> quote',
    '| a |',
    '---',
    '\tx',
  )
  const noteBlock = fc.oneof(
    noteLine,
    fc.constantFrom('```js\n- [ ] code\n\n  x\n```', '<!--\nhidden\n-->', 'a\n\n\nb'),
  )
  const notes = fc.array(noteBlock, { maxLength: 4 }).map((blocks) => ['First', ...blocks].join('\n'))
  const content = fc.tuple(line, fc.option(notes)).map(([text, more]) => (more === null ? text : `${text}\n${more}`))
  const group = fc.option(fc.constantFrom('v2', 'C #', '#', 'two words', '- [ ] odd', 'tail##'))

  test('reading it back gives the same tree', () => {
    fc.assert(
      fc.property(rowsOf({ content, group }), (rows) => {
        const { items, skipped } = readChecklist(exportChecklist(rows), { takesDropped: true })
        expect(treeOf(items)).toEqual(treeOfRows(byGroup(rows)))
        expect(skipped).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  type Shape = { done: boolean; children: Shape[] }

  function shapeOf(trees: readonly Shape[]): Shape[] {
    return trees.map(({ done, children }) => ({ done, children: shapeOf(children) }))
  }

  test('for any texts, the same number of tasks is read back, with the same nesting', () => {
    fc.assert(
      fc.property(rowsOf({ content: anyText, group: fc.constant(null) }), (rows) => {
        const { items, skipped } = readChecklist(exportChecklist(rows), { takesDropped: true })
        expect(shapeOf(items)).toEqual(shapeOf(treeOfRows(rows)))
        expect(skipped).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})
