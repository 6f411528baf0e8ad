/** One place at which work makes a check see less than before. */
export interface Weakening {
  kind: WeakeningKind
  path: string
  /** In the file before the change if something was removed, otherwise after it; null: the whole file. */
  line: number | null
  /** The line that was added or removed, shortened; for a file that is no longer there, empty. */
  text: string
}

/** What the work does, as the rest of a sentence. */
export const WEAKENINGS = {
  'test-file-removed': 'removes a test file',
  'test-file-renamed': 'renames a test file so that it is no test any more',
  'test-removed': 'removes a test',
  'test-skipped': 'skips a test',
  'test-only': 'runs one test instead of all',
  'test-empty': 'adds a test without an assertion',
  'assertion-removed': 'removes an assertion',
  'assertion-weakened': 'replaces an assertion by a weaker one',
  'snapshot-updated': 'updates a snapshot, though no code has changed',
  'limit-loosened': 'loosens a limit',
  'timeout-raised': 'raises a time limit',
  'rule-loosened': 'loosens a rule of a linter or compiler',
  'check-ignored': 'tells a tool to ignore code',
  'check-changed': 'changes what the checks run or how',
  'failure-hidden': 'hides a failure',
  'test-detected': 'behaves differently under test',
  'not-read': 'changes so much of it that gza has not read it',
} as const

export type WeakeningKind = keyof typeof WEAKENINGS

/** `test/a.test.ts:12 skips a test: it.skip(…`. */
export function weakeningText({ kind, path, line, text }: Weakening): string {
  // A newer version may know more kinds.
  const what: string = WEAKENINGS[kind] ?? kind
  return `${path}${line === null ? '' : `:${line}`} ${what}${text === '' ? '' : `: ${text}`}`
}

/** What a run has recorded. A ledger comes from anywhere: what has another shape is left out. */
export function recordedWeakenings(run: object | null | undefined): Weakening[] {
  const found: unknown = run && 'weakened' in run ? run.weakened : []
  return Array.isArray(found) ? found.filter(isWeakening) : []
}

function isWeakening(value: unknown): value is Weakening {
  if (typeof value !== 'object' || value === null) return false
  const { kind, path, line, text } = value as Record<string, unknown>
  const isPlaced = line === null || (typeof line === 'number' && Number.isSafeInteger(line))
  return [kind, path, text].every((each) => typeof each === 'string') && isPlaced
}
