import { expect, test } from 'bun:test'
import { readFileNames } from './file-names.ts'

const paths = (text: string) => readFileNames(text).files.map(({ path, role }) => (role ? `${role} ${path}` : path))

test.each([
  ['`a.ts`, `b.ts`', ['a.ts', 'b.ts']],
  ['src/a.ts, src/b.ts and src/c.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ['`src/x.py:12-40`', ['src/x.py']],
  ['./src/x.py', ['src/x.py']],
  ['`a.ts` (new) - the parser', ['create a.ts']],
  ['Create `a.ts`', ['create a.ts']],
  ['src/app/(auth)/page.tsx', ['src/app/(auth)/page.tsx']],
  ['[a.ts](src/a.ts)', ['a.ts']],
  ['Makefile, .github/workflows/ci.yml, .env.example', ['Makefile', '.github/workflows/ci.yml', '.env.example']],
  ['src/**/*.test.ts', ['src/**/*.test.ts']],
  ['`a.ts`, b.ts and `c.ts` - see d.ts', ['a.ts', 'b.ts', 'c.ts']],
  ['**src/a.ts** (new), **b.ts**: the parser', ['create src/a.ts', 'b.ts']],
  ['**src/a.ts, src/b.ts**', ['src/a.ts', 'src/b.ts']],
  ['src/**, **/x.ts', ['src/**', '**/x.ts']],
  ['`src/größe/übung.ts`, docs/日本語.md, größe.ts', ['src/größe/übung.ts', 'docs/日本語.md', 'größe.ts']],
  ['`docs/my file.md`, `src/a b/c.ts` (new)', ['docs/my file.md', 'create src/a b/c.ts']],
  ['`+page.svelte`, $slug.tsx, [id].tsx', ['+page.svelte', '$slug.tsx', '[id].tsx']],
  ['"src/h h.ts", \'k k.ts\' (new) and `My Files/a.md`', ['src/h h.ts', 'create k k.ts', 'My Files/a.md']],
  ['`bun test a.ts`, "add b.ts"', ['test a.ts', 'create b.ts']],
  ['src/l l.ts, Update src/my module/index.ts', ['src/l l.ts', 'modify src/my module/index.ts']],
  ['`a.ts`, src/j j.ts, src/q.ts (new)', ['a.ts', 'src/j j.ts', 'create src/q.ts']],
  ['src/a.ts src/b.ts', ['src/a.ts', 'src/b.ts']],
  ['src/core in index.ts', ['src/core']],
  ['src\\win\\a.ts', ['src/win/a.ts']],
  ['src/../lib/a.ts', ['lib/a.ts']],
])('%s', (text, expected) => expect(paths(text)).toEqual(expected))

test.each([
  'all the models',
  '`npm test`',
  'https://example.com/a.ts',
  'version 1.2.3',
  'read and/or write the file here',
  '...',
])('%s names no file', (text) => expect(paths(text)).toEqual([]))

test.each([
  '../../etc/passwd',
  '`a/../../x`',
  '~/z.py',
  '`C:\\x`',
  '/etc/hosts (new)',
  '/home/me/x.ts',
  '\\\\server\\share',
  'file:///x.ts',
])('%s is outside the repository', (text) => {
  expect(readFileNames(text).files).toEqual([])
  expect(readFileNames(text).outside).toHaveLength(1)
})

test('a path with blanks that is not quoted is reported', () => {
  expect(readFileNames('src/l l.ts, `src/m m.ts`, "src/n n.ts", src/o.ts the parser').spaced).toEqual(['src/l l.ts'])
})
