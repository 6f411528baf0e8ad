/** Test runners of JavaScript, and TAP, which several of them print. */
import { type FailureReader, type FoundFailure, LONGEST_BLOCK, messageOf, readBlocks } from './failure-reader.ts'

/** `✖ adds (1.6ms)`, in the list at the end: above it, suites and tests look alike. */
const nodeSpec = readBlocks({ after: /^✖ failing tests:/, start: /^✖ (.+?) \(\d[\d.]*m?s\)$/, end: /^\s+at / })

/** A file that could not be loaded: its error, then `✖ a.test.js (9ms)`, and below it `'test failed'`. */
const nodeCrash: FailureReader = (found) => {
  let printed = ''
  let file = ''
  return (line) => {
    if (file !== '' && /^\s+'test failed'$/.test(line)) found.add(file, printed)
    file = (printed !== '' && /^✖ (.+?) \(\d[\d.]*m?s\)$/.exec(line)?.[1]) || ''
    if (/^[✔✖] /.test(line) && file === '') printed = ''
    printed = /^[A-Za-z]*Error: .+$/.exec(line)?.[0] ?? printed
  }
}

/** `  ● math › adds`, and `● Test suite failed to run` below the name of its file. */
const jest: FailureReader = (found) => {
  const readTests = readBlocks({ start: /^\s*● (?!Test suite failed to run|Console\b)(.+)$/, end: JEST_END })(found)
  let file = 'Test suite'
  let suite: { failure: FoundFailure; lines: string[] } | null = null
  return (line) => {
    file = /^\s*FAIL\s+(\S+)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file
    readTests(line)
    if (/^\s*● Test suite failed to run$/.test(line)) suite = { failure: found.add(file), lines: [] }
    else if (suite !== null && (JEST_END.test(line) || suite.lines.length > LONGEST_BLOCK)) suite = null
    else if (suite !== null) {
      suite.lines.push(line)
      suite.failure.message = messageOf(suite.lines)
    }
  }
}

const JEST_END = /^\s+(?:at |> ?\d+ \||\d+ \|)|^(?:Tests|Test Suites):/

/** ` FAIL  test/a.test.ts > math > adds`, and ` FAIL  test/a.test.ts [ test/a.test.ts ]` */
const vitest = readBlocks({ start: /^\s*FAIL\s+(\S+ > .+|\S+(?= \[ \S+ \]$))/, end: /^\s*(?:❯|⎯)/ })

/** `  1) [chromium] › a.spec.ts:3:5 › adds ────` */
const playwright = readBlocks({ start: /^\s+\d+\) ((?:\[[^\]]+\] › )?\S+:\d+:\d+ › .+?)(?: ─+)?$/, end: /^\s+at / })

/** `  1) math`, and below it, further indented, the names down to the test, which ends with a colon. */
const mocha: FailureReader = (found) => {
  let isOn = false
  let names: string[] = []
  let open: { failure: FoundFailure; lines: string[] } | null = null
  return (line) => {
    if (!isOn) {
      isOn = /^\s+\d+ failing$/.test(line)
      return
    }
    const [, first] = /^\s+\d+\) (.+)$/.exec(line) ?? []
    const name = first ?? (names.length > 0 && names.length < DEEPEST ? line.trim() : undefined)
    if (name !== undefined && name !== '') {
      names = first === undefined ? [...names, name] : [name]
      open = null
      if (!name.endsWith(':')) return
      open = { failure: found.add(names.join(' ').slice(0, -1)), lines: [] }
      names = []
    } else if (open !== null) {
      if (/^\s+at /.test(line) || open.lines.length > LONGEST_BLOCK) open = null
      else if (!/^\s+\+ expected - actual$/.test(line)) open.lines.push(line.replace(/^(\s+[+-])(?=\S)/, '$1 '))
      if (open !== null) open.failure.message = messageOf(open.lines)
    }
  }
}

/** Names that a test may be nested in. More lines are not names. */
const DEEPEST = 20

/** The reason comes first, then `(fail) math > adds [0.17ms]`. */
const bunTest: FailureReader = (found) => {
  let reason: string[] | null = null
  return (line) => {
    const [, name] = /^(?:\(fail\)|✗) (.+?)(?: \[[\d.]+m?s\])?$/.exec(line) ?? []
    if (name !== undefined) found.add(name, messageOf(reason ?? []))
    if (name !== undefined || /^\((?:pass|skip|todo)\) /.test(line)) reason = null
    else if (reason === null && /^(?:error: |[A-Za-z]*Error: )/.test(line)) reason = [line]
    else if (/^\s+at /.test(line)) reason?.splice(LONGEST_BLOCK)
    else if (reason !== null && reason.length < MOST_LINES) reason.push(line)
  }
}

const MOST_LINES = 100

/** `not ok 1 - adds`, with its reason in YAML below it. A test that failed because of its subtests comes after them. */
const tap: FailureReader = (found) => {
  let names: { name: string; indent: number }[] = []
  let failedAt: number[] = []
  let open: FoundFailure | null = null
  let text: string[] | null = null
  /** What a file that could not be loaded printed before its result, and the same for the open failure. */
  let printed = ''
  let crash = ''
  return (line) => {
    printed = /^# ([A-Za-z]*Error: .+)$/.exec(line)?.[1] ?? printed
    const [, margin = '', subtest] = /^(\s*)# Subtest: (.+)$/.exec(line) ?? []
    if (subtest !== undefined) names = [...below(names, margin.length), { name: subtest, indent: margin.length }]
    const [whole, indent = '', not, name = '', directive] = TAP_LINE.exec(line) ?? []
    if (whole !== undefined) {
      const isFailed = not !== undefined && directive === undefined
      const depth = indent.length
      const hasFailedParts = failedAt.some((each) => each > depth)
      const isFailedHere = isFailed || failedAt.includes(depth)
      failedAt = [...failedAt.filter((each) => each < depth), ...(isFailedHere ? [depth] : [])]
      const path = [...below(names, depth).map((each) => each.name), name]
      open = isFailed && !hasFailedParts ? found.add(path.join(' > ')) : null
      text = null
      crash = printed
      printed = ''
    } else if (open !== null) {
      const longer = reasonLines(text, line)
      if (longer !== null && longer !== text) open.message = messageOf(longer)
      text = longer
      if (open.message === 'test failed' && crash !== '') open.message = crash
    }
  }
}

function below<T extends { indent: number }>(names: readonly T[], indent: number): T[] {
  return names.filter((each) => each.indent < indent)
}

/** The value of `error`, `message` or `diff` so far; null outside of it. */
function reasonLines(text: string[] | null, line: string): string[] | null {
  const [, key, value = ''] = /^\s+(error|message|diff): (.*)$/.exec(line) ?? []
  if (key === 'diff') return ['not equal:']
  if (key !== undefined) return /^[|>]-?$/.test(value) ? [] : [value.replace(/^(['"])(.*)\1$/, '$2')]
  if (text === null || /^\s*(?:\.\.\.$|(?:code|name|stack|at|operator|severity|expected|actual):)/.test(line))
    return null
  if (text.length > LONGEST_BLOCK || /^\s*(?:---|\+\+\+|@@) /.test(line)) return text
  return [...text, line.replace(/^(\s+[+-])(?=\S)/, '$1 ')]
}

const TAP_LINE = /^(\s*)(not )?ok\b(?: \d+)?(?: -)? ?(.*?)(?: # (?:(TODO|SKIP)\b.*|time=.*))?(?: \{)?$/i

export const javascriptTests: readonly FailureReader[] = [
  nodeCrash,
  nodeSpec,
  jest,
  vitest,
  playwright,
  mocha,
  bunTest,
  tap,
]
