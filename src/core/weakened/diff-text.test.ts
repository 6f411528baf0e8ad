import { expect, test } from 'bun:test'
import { readDiff } from './diff-text.ts'

test('lines have their number before or after the change, by file', () => {
  const text = `diff --git a/a.ts b/a.ts
index 111..222 100644
--- a/a.ts
+++ b/a.ts
@@ -3,2 +3 @@ function f() {
-old
--- also old
+new
@@ -9,0 +9,1 @@
+++ more
diff --git a/b.ts b/b.ts
deleted file mode 100644
index 222..000
--- a/b.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
`
  expect(readDiff(text)).toEqual([
    {
      path: 'a.ts',
      oldPath: null,
      change: 'changed',
      hunks: [
        {
          removed: [
            { line: 3, text: 'old' },
            { line: 4, text: '-- also old' },
          ],
          added: [{ line: 3, text: 'new' }],
        },
        { removed: [], added: [{ line: 9, text: '++ more' }] },
      ],
    },
    { path: 'b.ts', oldPath: null, change: 'removed', hunks: [{ removed: [{ line: 1, text: 'gone' }], added: [] }] },
  ])
})

test('renamed files, names in quotes and files without lines keep their names', () => {
  const text = `diff --git a/test/a.test.ts b/old/a.txt
similarity index 100%
rename from test/a.test.ts
rename to old/a.txt
diff --git "a/t\\303\\244st.ts" "b/t\\303\\244st.ts"
new file mode 100644
--- /dev/null
+++ "b/t\\303\\244st.ts"
@@ -0,0 +1 @@
+x
diff --git a/a b.ts b/a b.ts
new file mode 100644
index 000..e69
`
  expect(readDiff(text).map(({ path, oldPath, change }) => [path, oldPath, change])).toEqual([
    ['old/a.txt', 'test/a.test.ts', 'changed'],
    ['täst.ts', null, 'added'],
    ['a b.ts', null, 'added'],
  ])
})
