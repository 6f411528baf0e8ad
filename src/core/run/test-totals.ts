import type { CountReader, TestCounts } from './test-counts.ts'

/** Runners that report each binary or package and never a total: their counts are added up. */

/** `test result: ok. 3 passed; 0 failed; 1 ignored; …`, once for each binary and once for the doc tests. */
export function countCargoTests(): CountReader {
  const total = none()
  return (line) => {
    const counts = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/.exec(line)
    if (counts === null) return null
    total.passed += Number(counts[1])
    total.failed += Number(counts[2])
    total.skipped += Number(counts[3])
    return { ...total }
  }
}

/**
 * Plain `go test`. It names the passed tests only with -v; without it, only packages can be counted. Subtests count as
 * part of their test, in both of Go's formats.
 */
export function countGoTests(): CountReader {
  const tests = none()
  const packages = none()
  let failedHere = 0
  return (line) => {
    const [, verdict] = /^--- (PASS|FAIL|SKIP): /.exec(line) ?? []
    if (verdict) tests[GO_VERDICTS[verdict.toLowerCase()] ?? 'passed']++
    if (verdict === 'FAIL') failedHere++
    const [, end] = /^(ok {2}|FAIL)\t\S+/.exec(line) ?? []
    if (end === undefined) return null
    if (end === 'FAIL') {
      packages.failed += Math.max(1, failedHere)
      if (failedHere === 0) tests.failed++
    } else if (!line.endsWith('[no tests to run]')) packages.passed++
    failedHere = 0
    return { ...(tests.passed + tests.skipped > 0 ? tests : packages) }
  }
}

/** `go test -json`: one event on each line. */
export function countGoEvents(): CountReader {
  const total = none()
  const failing = new Set<string>()
  return (line) => {
    const event = goEvent(line)
    const field = GO_VERDICTS[event?.Action ?? '']
    if (!event || !field || event.Test?.includes('/')) return null
    if (event.Test !== undefined) {
      total[field]++
      if (field === 'failed') failing.add(event.Package)
    } else if (field === 'failed' && !failing.has(event.Package)) {
      // It did not build, or it ended before a test could run.
      total.failed++
    }
    return { ...total }
  }
}

const GO_VERDICTS: Record<string, keyof TestCounts> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

interface GoEvent {
  Action: string
  Package: string
  Test?: string
}

function goEvent(line: string): GoEvent | null {
  if (!line.startsWith('{') || !line.includes('"Action":"')) return null
  try {
    const event: Partial<Record<string, unknown>> = JSON.parse(line)
    const { Action, Package, Test } = event
    if (typeof Action !== 'string' || typeof Package !== 'string') return null
    return { Action, Package, ...(typeof Test === 'string' && { Test }) }
  } catch {
    return null
  }
}

function none(): TestCounts {
  return { passed: 0, failed: 0, skipped: 0 }
}
