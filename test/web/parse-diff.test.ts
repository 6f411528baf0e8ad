import { expect, test } from 'bun:test'
import { nameOfLine, pairedRows, placeOf } from '../../web/src/views/diff/diff-rows.ts'
import { parseDiff } from '../../web/src/views/diff/parse-diff.ts'

const HEADER = 'diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n'

test('each line has its kind and its numbers before and after', () => {
  const text = `${HEADER}@@ -3,3 +3,3 @@ function f() {\n one\n--- minus\n+++ plus\n three\n\\ No newline at end of file\n`
  expect(parseDiff(text)).toEqual([
    { kind: 'hunk', text: '@@ -3,3 +3,3 @@ function f() {', before: null, after: null },
    { kind: 'same', text: 'one', before: 3, after: 3 },
    { kind: 'removed', text: '-- minus', before: 4, after: null },
    { kind: 'added', text: '++ plus', before: null, after: 4 },
    { kind: 'same', text: 'three', before: 5, after: 5 },
    { kind: 'note', text: 'No newline at end of file', before: null, after: null },
  ])
})

test('a file without lines has only what git says about it', () => {
  expect(parseDiff('diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n')).toEqual([])
  expect(parseDiff('diff --git a/p b/p\nindex 1..2\nBinary files a/p and b/p differ\n')).toEqual([
    { kind: 'note', text: 'Binary files a/p and b/p differ', before: null, after: null },
  ])
})

test('a file that became a link has two parts, each with its own numbers', () => {
  const text = `${HEADER}@@ -1 +0,0 @@\n-gone\ndiff --git a/a.ts b/a.ts\nnew file mode 120000\n@@ -0,0 +1 @@\n+there\n`
  expect(parseDiff(text).map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ['hunk', null, null],
    ['removed', 1, null],
    ['hunk', null, null],
    ['added', null, 1],
  ])
})

test('the changed part of a line is marked, and a replaced line is not', () => {
  const marks = (before: string, after: string) =>
    parseDiff(`${HEADER}@@ -1 +1 @@\n-${before}\n+${after}\n`)
      .slice(1)
      .map(({ text, changed }) => changed && text.slice(...changed))
  expect(marks('const first = 1', 'const third = 1')).toEqual(['first', 'third'])
  expect(marks('return a', 'return a + b')).toEqual([undefined, ' + b'])
  expect(marks('something', 'unlike everything else here')).toEqual([undefined, undefined])
})

test('carriage returns are left out where every line has one', () => {
  const lines = parseDiff(`${HEADER}@@ -1 +1,2 @@\n one\r\n+two\r\n`)
  expect(lines.map(({ text }) => text)).toEqual(['@@ -1 +1,2 @@', 'one', 'two'])
  expect(parseDiff(`${HEADER}@@ -1 +1,2 @@\n one\n+two\r\n`)[2]?.text).toBe('two\r')
})

test('side by side, what was added is beside what was removed', () => {
  const lines = parseDiff(`${HEADER}@@ -1,3 +1,3 @@\n a\n-b\n-c\n+d\n e\n+f\n`)
  const texts = pairedRows(lines).map(([left, right]) => [left?.text ?? null, right?.text ?? null])
  expect(texts.slice(1)).toEqual([
    ['a', 'a'],
    ['b', 'd'],
    ['c', null],
    ['e', 'e'],
    [null, 'f'],
  ])
})

test('a comment stays at its line, also if the lines have moved since', () => {
  const lines = parseDiff(`${HEADER}@@ -1,3 +1,4 @@\n a\n-b\n+new\n+twin\n+twin\n`)
  const at = (side: 'old' | 'new', end_line: number, quote: string, isSame: boolean) =>
    placeOf(lines, { side, end_line, quote: [quote] }, isSame)
  expect(at('new', 2, 'anything', true)).toBe(3)
  expect(at('old', 2, 'b', true)).toBe(2)
  expect(at('new', 9, 'new', false)).toBe(3)
  expect(at('new', 9, 'twin', false)).toBe(5)
  expect(at('new', 2, 'gone', false)).toBeNull()
  expect(lines.map(nameOfLine)).toEqual([
    null,
    { side: 'new', line: 1 },
    { side: 'old', line: 2 },
    { side: 'new', line: 2 },
    { side: 'new', line: 3 },
    { side: 'new', line: 4 },
  ])
})
