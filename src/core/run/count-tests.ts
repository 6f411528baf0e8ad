import type { CountReader, TestCounts } from './test-counts.ts'
import { readBun, readJest, readNode, readPytest, readVitest } from './test-summaries.ts'
import { countCargoTests, countGoEvents, countGoTests } from './test-totals.ts'

/** Reads output as it arrives, so that 50 MB of it need not be kept. */
export interface TestCounter {
  read(line: string): void
  /** Many lines as bytes, without the last newline. They are decoded only if one of them may be part of a summary. */
  readMany(lines: Uint8Array): void
  counts(): TestCounts | null
}

/** The counts of the last summary that a known test runner printed; null if there is none. */
export function readTestCounts(output: string): TestCounts | null {
  const counter = countTests()
  for (const line of output.split('\n')) counter.read(line)
  return counter.counts()
}

export function countTests(): TestCounter {
  const readers = READERS.map((start) => start())
  let last: TestCounts | null = null
  const read = (line: string): void => {
    if (line.length > LONGEST_LINE) return
    const text = plainLine(line)
    for (const reader of readers) last = reader(text) ?? last
  }
  return {
    counts: () => last,
    read,
    readMany: (lines) => {
      const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length)
      if (!SIGNS.some((sign) => bytes.includes(sign))) return
      for (const line of bytes.toString().split('\n')) if (ANY_SIGN.test(line)) read(line)
    },
  }
}

/** Every line that one of the readers uses contains one of these. */
const SIGNS = [
  ...[
    ' pass',
    ' fail',
    ' skip',
    ' todo',
    ' xfail',
    ' xpass',
    ' error',
    ' warning',
    ' deselected',
    ' rerun',
    ' cancelled',
  ],
  ...[' subtests', ' filtered out', ' tests', 'Tests', 'Ran ', 'duration_ms', '--- ', 'ok  \t', 'FAIL\t', '"Action":"'],
]
const ANY_SIGN = new RegExp(SIGNS.join('|'))

/** A line as a terminal would finally show it: no colours, and only the text after the last carriage return. */
export function plainLine(line: string): string {
  const text = line.includes('\x1b') ? Bun.stripANSI(line) : line
  const shown = text.replace(/\r+$/, '')
  return shown.slice(shown.lastIndexOf('\r') + 1)
}

/** No runner prints a longer summary, and a longer line may be anything. */
const LONGEST_LINE = 65_536

const READERS: (() => CountReader)[] = [
  () => readVitest,
  () => readJest,
  () => readPytest,
  readBun,
  readNode,
  countCargoTests,
  countGoTests,
  countGoEvents,
]
