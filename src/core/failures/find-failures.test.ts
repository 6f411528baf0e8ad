import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { headline, otherFailures } from './explain-failure.ts'
import { findFailures, readFailures } from './find-failures.ts'

const FOLDER = `${import.meta.dir}/../../../test/fixtures/check-output`

function output(name: string): string {
  return readFileSync(`${FOLDER}/${name}.txt`, 'utf8')
}

/** What each output names as failed, and why. */
const FAILURES: Record<string, [name: string, message: string][]> = {
  biome: [
    ['a.ts:2:38 lint/suspicious/noDoubleEquals', 'Using == may be unsafe if you are relying on type coercion.'],
    ['a.ts format', 'Formatter would have printed the following content:'],
  ],
  bun: [
    ['math > adds', 'Expected: 4, Received: 3'],
    ['math > matches', '- "a": 2, + "a": 1'],
    ['throws', 'TypeError: boom happened'],
  ],
  'cargo-build': [['src/lib.rs:1:20', 'cannot find value `nothere` in this scope']],
  cargo: [
    ['tests::named', 'the value was wrong'],
    ['tests::adds', 'assertion `left == right` failed, left: 3, right: 4'],
    ['tests::unwraps', 'called `Option::unwrap()` on a `None` value'],
  ],
  ctest: [['adds', 'Failed']],
  'dotnet-build': [
    ['/home/ada/shop/Program.cs(5,13)', "CS0103: The name 'nothere' does not exist in the current context"],
  ],
  dotnet: [['Shop.Tests.CalculatorTests.Adds', 'Assert.Equal() Failure: Values differ, Expected: 4, Actual: 3']],
  eslint: [
    ['/home/ada/shop/src/cart.js:3:5', "'total' is not defined, no-undef"],
    ['/home/ada/shop/src/shop.js:7:12', "Expected '===' and instead saw '==', eqeqeq"],
  ],
  'go-build': [['./math_test.go:9:7', 'undefined: Ad']],
  'go-json': [['TestAdds', 'got 3, want 4 (math_test.go:8)']],
  'go-verbose': [
    ['TestAdds', 'got 3, want 4 (math_test.go:8)'],
    ['TestTable/negative', 'Add(-1, -2) = -2, want -3 (math_test.go:20)'],
  ],
  go: [
    ['TestAdds', 'got 3, want 4 (math_test.go:8)'],
    ['TestTable/negative', 'Add(-1, -2) = -2, want -3 (math_test.go:20)'],
    ['TestBoom', 'panic: runtime error: index out of range [3] with length 3'],
  ],
  gradle: [
    ['CalculatorTest > adds()', 'org.opentest4j.AssertionFailedError: expected: <4> but was: <3>'],
    ['CalculatorTest > divides()', 'java.lang.ArithmeticException at CalculatorTest.java:20'],
  ],
  jest: [
    ['math › adds', 'Expected: 4, Received: 3'],
    ['test/broken.test.js', "Cannot find module '../src/nothere' from 'test/broken.test.js'"],
  ],
  'make-no-rule': [["No rule to make target 'nope'", '']],
  make: [['a.c:1:20', '‘nothere’ undeclared (first use in this function)']],
  'maven-compile': [['/home/ada/shop/src/main/java/App.java:[5,12]', 'cannot find symbol']],
  maven: [
    ['com.example.CalculatorTest.adds', 'org.opentest4j.AssertionFailedError: expected: <4> but was: <3>'],
    ['com.example.CalculatorTest.divides', 'java.lang.ArithmeticException: / by zero'],
  ],
  minitest: [
    ['CalculatorTest#test_adds', 'Expected: 4, Actual: 3'],
    ['CalculatorTest#test_divides', 'ZeroDivisionError: divided by 0'],
  ],
  mix: [['test adds two numbers (CalculatorTest)', 'Assertion with == failed, left: 3, right: 4']],
  mocha: [
    ['math adds', 'Expected values to be strictly equal: - 3, + 4'],
    ['throws', 'TypeError: boom happened'],
  ],
  'node-crash-spec': [['/home/ada/shop/test/camel.test.js', 'SyntaxError: Unexpected end of input']],
  'node-crash-tap': [['/home/ada/shop/test/camel.test.js', 'SyntaxError: Unexpected end of input']],
  'node-spec': [
    ['adds', 'Expected values to be strictly equal: 3 !== 4'],
    ['compares objects', 'Expected values to be strictly deep-equal: + a: 1, - a: 2'],
    ['throws', 'TypeError [Error]: boom happened'],
  ],
  'node-tap-runner': [['test/math.js > adds > should be equal', 'not equal: - 4, + 3']],
  'node-tap': [
    ['math > adds', 'Expected values to be strictly equal: 3 !== 4'],
    ['math > compares objects', 'Expected values to be strictly deep-equal: + a: 1, - a: 2'],
    ['throws', 'boom happened'],
  ],
  'npm-missing-script': [['Missing script: "nope"', '']],
  'npm-not-found': [['jestx: not found', '']],
  phpunit: [['CalculatorTest::testAdds', 'Failed asserting that 3 matches expected 4.']],
  playwright: [
    ['[chromium] › tests/shop.spec.ts:3:5 › cart › adds an item', 'Error: expect(locator).toHaveText(expected) failed'],
  ],
  'pytest-q': [
    ['test_a.py::test_adds', 'assert (1 + 2) == 4'],
    ['test_a.py::test_long', "AssertionError: assert 'a very long ... of the width' == 'another very long string'"],
    ['test_a.py::TestMath::test_sub', 'ValueError: boom happened'],
    ['test_a.py::test_p[2]', 'AssertionError: n is wrong'],
    ['test_a.py::test_fix', 'RuntimeError: no database'],
  ],
  pytest: [['test_b.py', "ModuleNotFoundError: No module named 'nosuchmodule'"]],
  rspec: [
    ['Calculator adds two numbers', 'expected: 4, got: 3'],
    ['Calculator divides', 'ZeroDivisionError: divided by 0'],
  ],
  tox: [['test_a.py::test_adds', 'assert (1 + 2) == 4']],
  'tsc-pretty': [['src/a.ts:1:7', "TS2322: Type 'string' is not assignable to type 'number'."]],
  tsc: [
    ['a.ts(1,7)', "TS2322: Type 'string' is not assignable to type 'number'."],
    ['a.ts(2,30)', "TS2304: Cannot find name 'nothere'."],
  ],
  unittest: [
    ['test_err (__main__.MathTest.test_err)', 'ValueError: boom'],
    ['test_adds (__main__.MathTest.test_adds)', '3 != 4'],
    ['test_multi (__main__.MathTest.test_multi)', 'Lists differ: [1, 2] != [1, 3]'],
  ],
  vitest: [
    [
      'test/broken.test.ts',
      'Error: Failed to resolve import "./nothere" from "test/broken.test.ts". Does the file exist?',
    ],
    ['test/math.test.ts > math > adds', 'expected 3 to be 4 // Object.is equality'],
  ],
}

/** Outputs without a known form: the line that explains most. */
const LINES: Record<string, string> = {
  'node-crash': "Error: Cannot find module 'nope'",
  'npm-network':
    'npm error network request to https://registry.npmjs.org/left-pad failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org',
  unknown: 'stock: 3 of 4 shelves are empty',
}

for (const [name, failures] of Object.entries(FAILURES)) {
  test(`${name}: each failure once, with its reason`, () => {
    expect(readFailures(output(name)).map((failure) => [failure.name, failure.message])).toEqual(failures)
  })
}

for (const [name, line] of Object.entries(LINES)) {
  test(`${name}: no failure has a name, so the last meaningful line explains it`, () => {
    expect(readFailures(output(name))).toEqual([])
    expect(headline([], output(name))).toBe(line)
  })
}

test('every output is in one of the tables', () => {
  const names = readdirSync(FOLDER).map((file) => file.replace('.txt', ''))
  expect(names.sort()).toEqual([...Object.keys(FAILURES), ...Object.keys(LINES)].sort())
})

test('in a flood of lines the same failures are found, however far above the end', () => {
  const noise = 'nothing to see here\n'.repeat(5000)
  for (const name of Object.keys(FAILURES)) {
    const finder = findFailures()
    for (const part of [noise, output(name), noise]) finder.readMany(Buffer.from(part.trimEnd()))
    expect({ name, failures: finder.failures() }).toEqual({ name, failures: readFailures(output(name)) })
  }
})

test('output of passing tests names no failure', () => {
  const lines = [
    '✔ adds (1ms)',
    'ok 1 - adds',
    '# fail 0',
    'not ok 2 - later # TODO',
    '(pass) adds',
    'FAILED files: none',
  ]
  expect(readFailures(lines.join('\n'))).toEqual([])
})

test('colours and carriage returns do not hide a failure', () => {
  expect(readFailures('\x1b[31m(fail) math > adds\x1b[0m [1.00ms]\r')).toEqual([{ name: 'math > adds', message: '' }])
})

test('whatever follows a failure, however much it is, costs no more than to read it', () => {
  const beginnings = {
    jest: ['FAIL a.test.js', '● Test suite failed to run'],
    mocha: ['  1 failing', '  1) math'],
    'mocha, in a test': ['  1 failing', '  1) math', '    adds:'],
    tap: ['not ok 1 - adds', '  error: |-'],
  }
  const found = Object.entries(beginnings).map(([tool, lines]) => {
    const finder = findFailures()
    for (const line of [...lines, ...Array(40_000).fill(tool.includes('in') ? '' : '  3 is not 4')]) finder.read(line)
    return [tool, finder.failures()]
  })
  expect(Object.fromEntries(found)).toEqual({
    jest: [{ name: 'a.test.js', message: '3 is not 4' }],
    mocha: [],
    'mocha, in a test': [{ name: 'math adds', message: '' }],
    tap: [{ name: 'adds', message: '3 is not 4' }],
  })
})

test('a long line that begins like a failure in many ways costs no more than to read it', () => {
  const finder = findFailures()
  for (let count = 0; count < 100; count++)
    for (const part of [' ', 'x > ']) finder.read(part.repeat(16_000 / part.length))
  expect(finder.failures()).toEqual([])
})

test('the headline names the first failure and counts the others, which follow', () => {
  const failures = [
    { name: 'adds', message: '3 is not 4' },
    { name: 'subtracts', message: '' },
    { name: 'divides', message: 'by 0' },
  ]
  expect(headline(failures, '')).toBe('adds: 3 is not 4 (and 2 more)')
  expect(otherFailures(failures)).toEqual(['Also failed: subtracts', 'Also failed: divides: by 0'])
})
