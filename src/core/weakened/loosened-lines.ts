/** Lines of which only a number or a word changed, so that a check asks for less. */
import type { DiffHunk, DiffLine } from './diff-text.ts'

export interface ChangedPair {
  before: DiffLine
  after: DiffLine
}

/** Each removed line with the line that replaced it, where there are as many of both. */
export function replacedLines({ removed, added }: DiffHunk): ChangedPair[] {
  if (removed.length !== added.length) return []
  return removed.map((before, at) => ({ before, after: added[at] as DiffLine }))
}

/** Whether only numbers differ, and the line asks for less or waits longer. */
export function loosenedNumber({ before, after }: ChangedPair): 'limit' | 'timeout' | null {
  const [was, is] = [numbersOf(before.text), numbersOf(after.text)]
  if (was.shape !== is.shape || was.numbers.length !== is.numbers.length) return null
  const at = was.numbers.findIndex((number, index) => number !== is.numbers[index])
  if (at === -1) return null
  const isRaised = Number(is.numbers[at]) > Number(was.numbers[at])
  if (TIMES.test(before.text)) return isRaised ? 'timeout' : null
  if (CEILINGS.test(before.text)) return isRaised ? 'limit' : null
  if (FLOORS.test(before.text)) return isRaised ? null : 'limit'
  return null
}

function numbersOf(text: string): { shape: string; numbers: string[] } {
  const numbers: string[] = []
  const shape = text.replace(/(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?/gi, (number) => {
    numbers.push(number.replaceAll('_', ''))
    return '#'
  })
  return { shape, numbers }
}

const TIMES = /time_?-?(?:out|limit)|deadline|\bwait(?:For)?\b|max_?-?duration/i
/** A higher number lets more pass. */
const CEILINGS =
  /max[-_]?warnings|max[-_]?(?:complexity|lines|depth|params|statements|len|line)|toleran|epsilon|\bdelta\b|\b(?:rel|abs|rtol|atol)\s*=|retr(?:y|ies)|allowed|flaky|threshold\s*:\s*\{\s*maxDiff|max[-_]?diff|budget/i
/** A lower number lets more pass. */
const FLOORS =
  /coverage|threshold|fail[-_]?under|\b(?:branches|functions|lines|statements)\b|min(?:imum)?[-_]?|toBeCloseTo|score|at_?least/i

/** Whether a rule of a linter or compiler got weaker between the two lines. */
export function loosenedRule({ before, after }: ChangedPair): boolean {
  const rank = (text: string) => strictness(text)
  const [was, is] = [rank(before.text), rank(after.text)]
  return was !== null && is !== null && nameIn(before.text) === nameIn(after.text) && is < was
}

function strictness(text: string): number | null {
  const value =
    /[:=]\s*\[?\s*["']?(error|deny|forbid|true|2|warn|warning|1|off|allow|none|false|0|ignore)["']?\s*[,\]}]?/i.exec(
      text,
    )?.[1]
  return value === undefined ? null : (STRICTNESS[value.toLowerCase()] ?? null)
}

const STRICTNESS: Record<string, number> = {
  ...{ error: 2, deny: 2, forbid: 2, true: 2, '2': 2, warn: 1, warning: 1, '1': 1 },
  ...{ off: 0, allow: 0, none: 0, false: 0, '0': 0, ignore: 0 },
}

function nameIn(text: string): string {
  return /["']?([\w@/-]+)["']?\s*[:=]/.exec(text)?.[1] ?? ''
}
