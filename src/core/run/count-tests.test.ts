import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readTestCounts } from './count-tests.ts'

const COUNTED = { passed: 5, failed: 1, skipped: 2 }

test('vitest', () => {
  const output = ` FAIL  src/a.test.ts > adds
 Test Files  1 failed | 2 passed (3)
      Tests  1 failed | 5 passed | 1 skipped | 1 todo (8)
   Start at  10:11:12
   Duration  310ms`
  expect(readTestCounts(output)).toEqual(COUNTED)
  expect(readTestCounts('      Tests  3 passed | 1 expected fail (4)')).toEqual({ passed: 4, failed: 0, skipped: 0 })
  expect(readTestCounts(' Test Files  no tests\n      Tests  no tests')).toEqual({ passed: 0, failed: 0, skipped: 0 })
})

test('jest', () => {
  const output = `Test Suites: 1 failed, 2 passed, 3 total
Tests:       1 failed, 1 skipped, 1 todo, 5 passed, 8 total
Snapshots:   0 total
Time:        0.5 s`
  expect(readTestCounts(output)).toEqual(COUNTED)
  expect(readTestCounts('Tests:       0 total')).toEqual({ passed: 0, failed: 0, skipped: 0 })
})

test('bun', () => {
  const output = `(fail) bad [0.13ms]

 5 pass
 1 skip
 1 todo
 1 fail
 1 expect() calls
Ran 8 tests across 1 file. [3.00ms]`
  expect(readTestCounts(output)).toEqual(COUNTED)
})

test('node --test, as TAP and as text', () => {
  const counts = ['tests 9', 'suites 1', 'pass 5', 'fail 0', 'cancelled 1', 'skipped 1', 'todo 1', 'duration_ms 127.8']
  expect(readTestCounts(['1..9', ...counts.map((line) => `# ${line}`)].join('\n'))).toEqual(COUNTED)
  expect(readTestCounts(counts.map((line) => `ℹ ${line}`).join('\n'))).toEqual(COUNTED)
})

test('pytest, loud and quiet', () => {
  const rule = '='.repeat(10)
  const words = '1 failed, 4 passed, 2 skipped, 7 deselected, 1 xfailed, 3 warnings in 65.12s (0:01:05)'
  expect(readTestCounts(`FAILED test_a.py::test_b - assert 0\n${rule} ${words} ${rule}`)).toEqual(COUNTED)
  expect(readTestCounts(words)).toEqual(COUNTED)
  expect(readTestCounts(`${rule} 1 passed, 1 error in 0.6s ${rule}`)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(readTestCounts('no tests ran in 0.01s')).toEqual({ passed: 0, failed: 0, skipped: 0 })
})

test('cargo test, the sum over binaries and doc tests', () => {
  const output = `     Running unittests src/lib.rs (target/debug/deps/c-1)
test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.08s
   Doc-tests c
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`
  expect(readTestCounts(output)).toEqual(COUNTED)
})

test('go test -v counts tests, and subtests as part of their test', () => {
  const pass = (name: string): string => `=== RUN   ${name}\n--- PASS: ${name} (0.00s)`
  const output = `${['TestA', 'TestB', 'TestC', 'TestD', 'TestE'].map(pass).join('\n')}
    --- PASS: TestE/inner (0.00s)
--- SKIP: TestF (0.00s)
--- SKIP: TestG (0.00s)
PASS
ok  \texample.com/a\t0.005s
--- FAIL: TestH (0.00s)
FAIL
FAIL\texample.com/b\t0.006s
FAIL`
  expect(readTestCounts(output)).toEqual(COUNTED)
})

test('go test without -v does not name passed tests, so its packages are counted', () => {
  const output = `ok  \texample.com/a\t0.005s
ok  \texample.com/b\t(cached)
ok  \texample.com/e\t0.1s [no tests to run]
?   \texample.com/c\t[no test files]
FAIL\texample.com/d [build failed]
FAIL`
  expect(readTestCounts(output)).toEqual({ passed: 2, failed: 1, skipped: 0 })
})

test('go test -json', () => {
  const event = (Action: string, Package: string, Test?: string): string => JSON.stringify({ Action, Package, Test })
  const output = [
    event('run', 'a', 'T0'),
    ...[1, 2, 3, 4, 5].map((at) => event('pass', 'a', `T${at}`)),
    event('pass', 'a', 'T5/inner'),
    ...[6, 7].map((at) => event('skip', 'a', `T${at}`)),
    event('pass', 'a'),
    event('fail', 'b'),
    '{"Action":"fail", cut',
  ]
  expect(readTestCounts(output.join('\n'))).toEqual(COUNTED)
  expect(readTestCounts([event('fail', 'b', 'T1'), event('fail', 'b')].join('\n'))).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
  })
})

test('colours, carriage returns and Windows line ends do not matter', () => {
  expect(
    readTestCounts('\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m5 passed\x1b[39m\x1b[22m\x1b[90m (5)\x1b[39m'),
  ).toEqual({ passed: 5, failed: 0, skipped: 0 })
  expect(readTestCounts('running 3/5\rTests:       5 passed, 5 total\r')).toEqual({ passed: 5, failed: 0, skipped: 0 })
})

test('the last summary wins, whatever runner printed it', () => {
  const output = 'Tests:       2 failed, 5 passed, 7 total\n 7 pass\n 0 fail\nRan 7 tests across 1 file. [3.00ms]'
  expect(readTestCounts(output)).toEqual({ passed: 7, failed: 0, skipped: 0 })
})

test('words that only look like a summary count nothing', () => {
  for (const line of [
    '12 modules transformed in 3.2s',
    'Tests are fun',
    '5 passed',
    '# pass 2',
    ' 4 pass',
    'Ran away',
  ]) {
    expect(readTestCounts(line)).toBeNull()
  }
})

test('no output makes it throw', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
      expect(() => readTestCounts(lines.join('\n'))).not.toThrow()
    }),
  )
})
