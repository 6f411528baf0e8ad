import { expect, test } from 'bun:test'
import { changedFiles } from './changed-files.ts'

const oid = 'a'.repeat(40)

test('the files of a diff with their counts, whatever their names are', () => {
  const printed = [
    `:100644 100644 ${oid} ${oid} M`,
    'src/new\nline.ts',
    `:000000 100755 ${oid} ${oid} A`,
    'tab\there',
    `:100644 100644 ${oid} ${oid} R087`,
    'old name.ts',
    'new name.ts',
    `:100644 120000 ${oid} ${oid} T`,
    ':odd',
    `:100644 000000 ${oid} ${oid} D`,
    'picture.png',
    '1\t2\tsrc/new\nline.ts',
    '3\t0\ttab\there',
    '4\t5\t',
    'old name.ts',
    'new name.ts',
    '1\t1\t:odd',
    '-\t-\tpicture.png',
    '',
  ].join('\0')
  const modes = { old_mode: '100644', new_mode: '100644' }
  expect(changedFiles(printed)).toEqual([
    { path: 'src/new\nline.ts', old_path: null, change: 'changed', ...modes, added: 1, removed: 2 },
    {
      path: 'tab\there',
      old_path: null,
      change: 'added',
      old_mode: '000000',
      new_mode: '100755',
      added: 3,
      removed: 0,
    },
    { path: 'new name.ts', old_path: 'old name.ts', change: 'renamed', ...modes, added: 4, removed: 5 },
    { path: ':odd', old_path: null, change: 'retyped', ...modes, new_mode: '120000', added: 1, removed: 1 },
    {
      path: 'picture.png',
      old_path: null,
      change: 'removed',
      ...modes,
      new_mode: '000000',
      added: null,
      removed: null,
    },
  ])
})

test('nothing changed', () => {
  expect(changedFiles('')).toEqual([])
})
