import { expect, test } from 'bun:test'
import { fullFolders, loneFiles, longFiles } from './sizes.ts'

test('a file of 401 lines is too long', () => {
  expect(longFiles([{ path: 'src/tasks/a.ts', text: 'x()\n'.repeat(400) }])).toEqual([])
  expect(longFiles([{ path: 'src/tasks/a.ts', text: 'x()\n'.repeat(401) }])).toEqual([
    'src/tasks/a.ts:401: the file has 401 lines, at most 400 are allowed: split it by subject',
  ])
})

test('the 19th file of a folder is one too many, and folders inside are counted apart', () => {
  const files = Array.from({ length: 18 }, (_, n) => ({ path: `src/tasks/a${n}.ts`, text: '' }))
  const inside = { path: 'src/tasks/checks/a.ts', text: '' }
  expect(fullFolders([...files, inside])).toEqual([])
  expect(fullFolders([...files, inside, { path: 'src/tasks/b.ts', text: '' }])).toEqual([
    'src/tasks: 19 files, at most 18 are allowed: move those of one subject into a folder inside it',
  ])
})

test('a short file that one file imports should join it', () => {
  const short = { path: 'src/tasks/short.ts', text: 'x()\n'.repeat(24) }
  const importer = { path: 'src/tasks/a.ts', text: "import { x } from './short.ts'" }
  expect(loneFiles([short, importer])).toEqual([
    'src/tasks/short.ts: a file under 25 lines with one importer: move its code into src/tasks/a.ts',
  ])
  expect(loneFiles([{ ...short, text: 'x()\n'.repeat(25) }, importer])).toEqual([])
  expect(loneFiles([short, importer, { ...importer, path: 'src/tasks/b.ts' }])).toEqual([])
  expect(loneFiles([short, { path: 'src/runs/a.ts', text: "import { x } from '../tasks/short.ts'" }])).toEqual([])
  expect(loneFiles([short, { path: 'src/tasks/a.ts', text: "  load: () => import('./short.ts')" }])).toEqual([])
})
