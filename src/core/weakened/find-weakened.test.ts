import { describe, expect, test } from 'bun:test'
import { namedFiles } from './check-files.ts'
import type { DiffHunk, FileDiff } from './diff-text.ts'
import { findWeakened } from './find-weakened.ts'
import { recordedWeakenings, weakeningText } from './weakening.ts'

function hunk(removed: readonly string[], added: readonly string[]): DiffHunk {
  const numbered = (lines: readonly string[]) => lines.map((text, at) => ({ line: at + 1, text }))
  return { removed: numbered(removed), added: numbered(added) }
}

function changed(path: string, ...hunks: DiffHunk[]): FileDiff {
  return { path, oldPath: null, change: 'changed', hunks }
}

function added(path: string, lines: string): FileDiff {
  return { path, oldPath: null, change: 'added', hunks: [hunk([], lines.split('\n'))] }
}

function kinds(...files: FileDiff[]): string[] {
  return findWeakened(files, new Set(['check.sh'])).map(({ kind }) => kind)
}

const TESTED = '  expect(add(1, 2)).toBe(3)'

describe('tests that go away', () => {
  test('a removed test file, and one that is no test any more', () => {
    expect(kinds({ ...changed('test/a.test.ts'), change: 'removed' })).toEqual(['test-file-removed'])
    expect(kinds({ ...changed('old/a.ts.txt'), oldPath: 'test/a.test.ts' })).toEqual(['test-file-renamed'])
    expect(kinds({ ...changed('test/b.test.ts'), oldPath: 'test/a.test.ts' })).toEqual([])
  })

  test('a removed test, but not one that moved or has a new name', () => {
    const adds = ["test('adds', () => {", TESTED, '})']
    expect(kinds(changed('a.test.ts', hunk(adds, [])))).toEqual(['test-removed'])
    expect(kinds(changed('a.test.ts', hunk(adds, [])), changed('b.test.ts', hunk([], adds)))).toEqual([])
    const renamed = ["test('adds numbers', () => {", TESTED, '})']
    expect(kinds(changed('a.test.ts', hunk(adds, renamed)))).toEqual([])
  })

  test.each([
    ['test/a.test.ts', "it.skip('adds', () => {"],
    ['test/a.test.ts', "xit('adds', () => {"],
    ['test/a.test.ts', "test.todo('adds')"],
    ['tests/test_a.py', '@pytest.mark.skip(reason="later")'],
    ['tests/test_a.py', '    self.skipTest("later")'],
    ['a_test.go', '\tt.Skip("later")'],
    ['tests/a.rs', '#[ignore]'],
    ['src/test/java/ATest.java', '  @Disabled("later")'],
    ['spec/a_spec.rb', "  xit 'adds' do"],
    ['tests/ATest.php', '    $this->markTestSkipped();'],
  ])('%s: %s', (path, line) => {
    expect(kinds(changed(path, hunk([], [line])))).toEqual(['test-skipped'])
    // It was skipped before too.
    expect(kinds(changed(path, hunk([line], [`  ${line}`])))).toEqual([])
  })

  test('one test that runs alone', () => {
    expect(kinds(changed('a.test.ts', hunk(["test('a', () => {"], ["test.only('a', () => {"])))).toEqual(['test-only'])
  })
})

describe('tests that say less', () => {
  test('a removed assertion, but not a reworded one', () => {
    expect(kinds(changed('a.test.ts', hunk([TESTED, '  expect(b).toBe(1)'], [TESTED])))).toEqual(['assertion-removed'])
    expect(kinds(changed('a.test.ts', hunk([TESTED], ['  expect(add(2, 2)).toBe(4)'])))).toEqual([])
  })

  test.each([
    ['a.test.ts', '  expect(add(1, 2)).toBe(3)', '  expect(add(1, 2)).toBeDefined()'],
    ['a.test.ts', '  expect(add(1, 2)).toBe(3)', '  expect(true).toBe(true)'],
    ['test_a.py', '    assert add(1, 2) == 3', '    assert add(1, 2) is not None'],
    ['test_a.py', '    self.assertEqual(add(1, 2), 3)', '    self.assertTrue(add(1, 2))'],
    ['tests/a.rs', '    assert_eq!(add(1, 2), 3);', '    assert!(true);'],
  ])('%s: %s becomes %s', (path, before, after) => {
    expect(kinds(changed(path, hunk([before], [after])))).toEqual(['assertion-weakened'])
  })

  test.each([
    "test('adds', () => {\n})",
    "test('adds', () => {\n  // later\n})",
    "test('adds', () => {\n  expect(true).toBe(true)\n})",
    "test('adds', () => {\n  add(1, 2)\n})",
    "test('adds', () => {})",
  ])('a new file with %j', (text) => {
    expect(kinds(added('a.test.ts', text))).toEqual(['test-empty'])
  })

  test('a test that leaves comparing to a function of the project is not called empty', () => {
    const text = "test('adds', async () => {\n  await told(repo)\n})\ntest('b', () => {\n  expect(1 + b).toBe(2)\n})"
    expect(kinds(added('a.test.ts', text))).toEqual([])
    expect(kinds(added('test_a.py', 'def test_add():\n    pass\n'))).toEqual(['test-empty'])
    expect(kinds(added('test_a.py', 'def test_add():\n    assert add(1, 2) == 3\n'))).toEqual([])
  })

  test('a snapshot that changes without any code', () => {
    const snapshot = changed('test/__snapshots__/a.snap', hunk(['3'], ['4']))
    expect(kinds(snapshot)).toEqual(['snapshot-updated'])
    expect(kinds(snapshot, changed('src/a.ts', hunk(['a'], ['b'])))).toEqual([])
    expect(kinds(added('test/__snapshots__/b.snap', '3'))).toEqual([])
  })
})

describe('limits and rules', () => {
  test.each([
    ['jest.config.js', '      branches: 90,', '      branches: 60,', ['limit-loosened', 'check-changed']],
    ['pyproject.toml', 'fail_under = 90', 'fail_under = 50', ['limit-loosened', 'check-changed']],
    [
      'package.json',
      '  "lint": "eslint --max-warnings 0",',
      '  "lint": "eslint --max-warnings 20",',
      ['limit-loosened', 'check-changed'],
    ],
    ['a.test.ts', '}, { timeout: 1000 })', '}, { timeout: 60_000 })', ['timeout-raised']],
    ['a.test.ts', '  expect(a).toBeCloseTo(b, 5)', '  expect(a).toBeCloseTo(b, 1)', ['limit-loosened']],
    ['eslint.config.js', "  'no-eval': 'error',", "  'no-eval': 'warn',", ['rule-loosened']],
    ['tsconfig.json', '    "strict": true,', '    "strict": false,', ['rule-loosened']],
  ])('%s: %s becomes %s', (path, before, after, expected) => {
    expect(kinds(changed(path, hunk([before], [after])))).toEqual(expected)
  })

  test('a stricter one is nothing to report', () => {
    expect(kinds(changed('a.test.ts', hunk(['}, { timeout: 60_000 })'], ['}, { timeout: 1000 })'])))).toEqual([])
    expect(kinds(changed('tsconfig.json', hunk(['  "strict": false'], ['  "strict": true'])))).toEqual([])
  })

  test.each([
    ['src/a.ts', '// eslint-disable-next-line no-eval'],
    ['src/a.ts', '  // @ts-ignore'],
    ['src/a.py', 'import os  # noqa: F401'],
    ['src/a.py', '    x = y  # type: ignore[assignment]'],
    ['a.go', 'x := y //nolint:errcheck'],
    ['src/a.rs', '#[allow(dead_code)]'],
    ['src/A.java', '@SuppressWarnings("unchecked")'],
  ])('%s: %s', (path, line) => {
    expect(kinds(changed(path, hunk([], [line])))).toEqual(['check-ignored'])
  })

  test('a failure that is hidden, in a script of the checks', () => {
    expect(kinds(changed('package.json', hunk(['  "test": "jest",'], ['  "test": "jest || true",'])))).toEqual([
      'failure-hidden',
      'check-changed',
    ])
    expect(kinds(changed('scripts/run-tests.sh', hunk(['npm test'], ['npm test', 'exit 0'])))).toEqual([
      'failure-hidden',
    ])
    expect(kinds(changed('.github/workflows/a.yml', hunk([], ['    continue-on-error: true'])))).toEqual([
      'failure-hidden',
    ])
    expect(kinds(changed('src/start.sh', hunk([], ['exit 0'])))).toEqual([])
  })

  test('files that the commands of the checks name', () => {
    expect(kinds(changed('check.sh', hunk(['grep -q x a.txt'], ['true'])))).toEqual(['check-changed'])
    expect(kinds(added('check.sh', 'true'))).toEqual([])
    expect(kinds(changed('other.sh', hunk(['a'], ['b'])))).toEqual([])
  })

  test('code that asks whether it is tested', () => {
    expect(kinds(changed('src/a.ts', hunk([], ['if (process.env.CI) return 3'])))).toEqual(['test-detected'])
    expect(kinds(changed('src/a.py', hunk([], ['if "pytest" in sys.modules:'])))).toEqual(['test-detected'])
    expect(kinds(changed('test/a.test.ts', hunk([], ['if (process.env.CI) return'])))).toEqual([])
  })
})

test('a command names its script, and not what it checks', () => {
  expect([
    ...namedFiles(['sh ./test/check.sh && node test/run.js', 'test -s out.txt; node src/main.js; ./check', null]),
  ]).toEqual(['test/check.sh', 'test/run.js', 'check'])
})

test('ordinary work weakens nothing', () => {
  const code = changed(
    'src/add.ts',
    hunk(['  return a'], ['  return a + b', '  // skip empty lines', '  timeout = 20']),
  )
  const tests = added('test/add.test.ts', "test('adds', () => {\n  expect(add(1, 2)).toBe(3)\n})")
  expect(kinds(code, tests, changed('README.md', hunk(['a'], ['it.skip', 'eslint-disable'])))).toEqual([])
})

test('a place is one line, and what a ledger holds in another shape is left out', () => {
  const found = findWeakened([changed('a.test.ts', hunk([], [`it.skip('a',\t() => { ${'x'.repeat(500)}`]))], new Set())
  expect(found.map(weakeningText).join()).toMatch(/^a\.test\.ts:1 skips a test: it\.skip\('a', \(\) => \{ x+…$/)
  const odd = [{ kind: 'test-skipped', path: 'a', line: '1', text: '' }, null, 3, found[0]]
  expect(recordedWeakenings({ weakened: odd })).toEqual(found)
  expect(recordedWeakenings({ weakened: 'x' })).toEqual([])
  expect(recordedWeakenings(null)).toEqual([])
})
