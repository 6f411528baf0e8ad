import { expect, test } from 'bun:test'
import { declaredFiles, outsideScope } from './scope.ts'

test('a file is outside that no list, folder or pattern of the task names', () => {
  const declared = declaredFiles({
    files_to_create: ['./src/a.ts'],
    files_to_modify: ['docs/', 'lib/*.ts'],
    test_files: ['test/a.test.ts'],
  })
  const changed = ['src/a.ts', 'src/a.ts.bak', 'docs/x/y.md', 'lib/b.ts', 'lib/c/b.ts', 'test/a.test.ts', 'test/b.ts']
  expect(outsideScope(declared, changed)).toEqual(['src/a.ts.bak', 'lib/c/b.ts', 'test/b.ts'])
})

test('a task that declares nothing has no limits', () => {
  expect(outsideScope(declaredFiles({}), ['any.txt'])).toEqual([])
})

test('a lock file belongs to the manifest beside it, and to no other', () => {
  const locks = ['package-lock.json', 'web/package-lock.json', 'Cargo.lock']
  expect(outsideScope(['package.json'], locks)).toEqual(['web/package-lock.json', 'Cargo.lock'])
})
