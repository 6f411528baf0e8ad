import type { CountReader, TestCounts } from './test-counts.ts'

/** Runners that end with one summary of everything they ran. */

/** `      Tests  1 failed | 5 passed | 2 skipped | 1 todo (9)` */
export const readVitest: CountReader = (line) => {
  const parts = /^\s*Tests {2,}(?:(no tests)|(.+) \(\d+\))$/.exec(line)
  return parts && addUp((parts[2] ?? '').split(' | '))
}

/** `Tests:       1 failed, 2 skipped, 5 passed, 8 total` */
export const readJest: CountReader = (line) => {
  const parts = /^Tests:\s+((?:\d+ [a-z]+, )*)\d+ total$/.exec(line)
  return parts && addUp((parts[1] ?? '').split(', '))
}

/** `==== 1 failed, 5 passed in 0.12s ====`, or the same without the rule if pytest is quiet. */
export const readPytest: CountReader = (line) => {
  const parts = /^=*\s*(no tests ran|\d+ [a-z]+(?:, \d+ [a-z ]+)*) in \d+(?:\.\d+)?s\b/.exec(line)
  const words = parts?.[1]?.split(', ') ?? []
  if (words.length === 0 || !words.every((word) => PYTEST.test(word))) return null
  return addUp(words)
}

const PYTEST =
  /^(no tests ran|\d+ (passed|failed|skipped|xfailed|xpassed|errors?|warnings?|deselected|rerun|subtests \w+))$/

/** ` 4 pass`, ` 0 fail`, … and at the end `Ran 4 tests across 1 file. [3.00ms]` */
export function readBun(): CountReader {
  let words: string[] = []
  return (line) => {
    if (/^ *\d+ (pass|fail|skip|todo|filtered out)$/.test(line)) words.push(line.trim())
    if (!/^Ran \d+ tests? across \d+ files?\./.test(line)) return null
    const counts = addUp(words)
    words = []
    return counts
  }
}

/** `# pass 2` or `ℹ pass 2`, one line for each count, `duration_ms` the last of them. */
export function readNode(): CountReader {
  let words: string[] = []
  return (line) => {
    const [, word, count] = /^(?:#|ℹ) (tests|pass|fail|cancelled|skipped|todo|duration_ms) (\d+)/.exec(line) ?? []
    if (word === undefined) return null
    if (word === 'tests') words = []
    if (word !== 'duration_ms') words.push(`${count} ${word}`)
    return word === 'duration_ms' && words.some((each) => each.endsWith(' pass')) ? addUp(words) : null
  }
}

const FIELDS: Record<string, keyof TestCounts> = {
  pass: 'passed',
  passed: 'passed',
  // Expected failures, whether they failed or not: the runner itself calls the run a success.
  xfailed: 'passed',
  xpassed: 'passed',
  'expected fail': 'passed',
  fail: 'failed',
  failed: 'failed',
  error: 'failed',
  errors: 'failed',
  cancelled: 'failed',
  skip: 'skipped',
  skipped: 'skipped',
  pending: 'skipped',
  todo: 'skipped',
}

function addUp(words: readonly string[]): TestCounts {
  const counts: TestCounts = { passed: 0, failed: 0, skipped: 0 }
  for (const word of words) {
    const [, count, name = ''] = /^(\d+) (.+)$/.exec(word) ?? []
    const field = FIELDS[name]
    if (field) counts[field] += Number(count)
  }
  return counts
}
