/**
 * Finds which tests failed, and why, in what a project's checks print. The output of every common test runner, compiler
 * and linter is known. It is read as it arrives: a failure may be thousands of lines above the end.
 */
import { plainLine } from '../run/count-tests.ts'
import { compileErrors, notRun } from './compile-errors.ts'
import type { FailureReader, Findings, FoundFailure } from './failure-reader.ts'
import { goTests } from './go-tests.ts'
import { javascriptTests } from './javascript-tests.ts'
import { otherTests } from './other-tests.ts'
import { pythonTests } from './python-tests.ts'

export interface FailureFinder {
  read(line: string): void
  /** Many lines as bytes, without the last newline. They are decoded only if one of them may be about a failure. */
  readMany(lines: Uint8Array): void
  /** In the order in which they were printed; at most 20. */
  failures(): FoundFailure[]
}

export function findFailures(): FailureFinder {
  // A failed test says more than a compiler's warning about it, and both more than a command that is missing.
  const levels = LEVELS.map((readers) => collect(readers))
  const read = (line: string): void => {
    if (line.length > LONGEST_LINE) return
    const text = plainLine(line)
    for (const level of levels) level.read(text)
  }
  return {
    read,
    readMany: (lines) => {
      const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length)
      if (!SIGNS.some((sign) => bytes.includes(sign))) return
      for (const line of near(bytes.toString().split('\n'))) read(line)
    },
    failures: () => levels.map(({ found }) => found).find(({ length }) => length > 0) ?? [],
  }
}

/** The failures in a whole output. */
export function readFailures(output: string): FoundFailure[] {
  const finder = findFailures()
  for (const line of output.split('\n')) finder.read(line)
  return finder.failures()
}

const LEVELS: readonly (readonly FailureReader[])[] = [
  [...javascriptTests, ...pythonTests, ...goTests, ...otherTests],
  compileErrors,
  [notRun],
]

const LONGEST_LINE = 16 * 1024
const MOST_FAILURES = 20

function collect(readers: readonly FailureReader[]): { read: (line: string) => void; found: FoundFailure[] } {
  const found: FoundFailure[] = []
  const findings: Findings = {
    add: (name, message = '') => {
      const known = found.find((failure) => failure.name === name)
      if (known !== undefined) {
        known.message ||= message
        return known
      }
      const failure = { name, message }
      if (found.length < MOST_FAILURES) found.push(failure)
      return failure
    },
    drop: ({ name }) => {
      const at = found.findIndex((failure) => failure.name === name)
      if (at !== -1) found.splice(at, 1)
    },
  }
  const started = readers.map((start) => start(findings))
  return {
    found,
    read: (line) => {
      for (const reader of started) reader(line)
    },
  }
}

/** Each line that begins a failure contains one of these. */
const SIGNS = [
  ...[
    '✖',
    'not ok',
    '●',
    'FAIL',
    ' failing',
    '(fail)',
    '# Subtest',
    ' › ',
    '✗',
    'ERROR',
    'rror: ',
    ' error ',
    '---- ',
    'Failures:',
    '_____',
  ],
  ...['panic: ', ') test ', '#test_', '::test', ' Failed ', '━', ' --> ', '.go:', '=== ', 'rror[', 'not found', '*** '],
]
const ANY_SIGN = new RegExp(SIGNS.map((sign) => sign.replace(/[()*[\].]/g, '\\$&')).join('|'))
const LINES_AFTER = 40

/** The lines with a sign, and some after each: the reason is there. The one before may be the name of a file. */
function* near(lines: readonly string[]): Iterable<string> {
  let left = 0
  for (const [at, line] of lines.entries()) {
    if (ANY_SIGN.test(line)) {
      if (left === 0 && at > 0) yield lines[at - 1] ?? ''
      left = LINES_AFTER
    } else if (left > 0) left--
    else continue
    yield line
  }
}
