import { plainLine } from '../run/count-tests.ts'
import { shorten } from '../text/shorten.ts'
import type { FoundFailure } from './failure-reader.ts'

const LONGEST = 300

/** One line about a failed command: the first test that failed, and how many others. */
export function headline(failures: readonly FoundFailure[], lastLines: string): string {
  const [first, ...others] = failures
  if (first === undefined) return lastMeaningful(lastLines)
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `${failureLine(first)}${more}`
}

/** A line for each failure after the first, which the headline names. */
export function otherFailures(failures: readonly FoundFailure[]): string[] {
  return failures.slice(1).map((failure) => `Also failed: ${failureLine(failure)}`)
}

function failureLine({ name, message }: FoundFailure): string {
  const words = name.replace(/\s+/g, ' ')
  return shorten(message === '' ? words : `${words}: ${message}`, LONGEST)
}

/** Of an unknown output: the last line that speaks of an error, otherwise the last one that says anything. */
function lastMeaningful(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => plainLine(line).trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !NOISE.test(line))
  return shorten(lines.findLast((line) => SPEAKS_OF_ERROR.test(line)) ?? lines.at(-1) ?? '', LONGEST)
}

const SPEAKS_OF_ERROR =
  /^(?:[\w.:[\] -]*(?:Error|Exception)\b[^:]*: .|(?:error|fatal|panic|npm error|npm ERR!)[: ] ?\S)/i

const NOISE = new RegExp(
  [
    ...[/^at /, /^Node\.js v\d/, /^make(?:\[\d+\])?: \*\*\* \[/, /^npm (?:warn|notice)/i, /^\d+ vulnerabilities/],
    ...[
      /^npm (?:error|ERR!)(?:$| {2}| (?:code|errno|syscall|path|command|workspace|location|network(?! request)|Lifecycle script|To see|A complete log|Exit))/i,
    ],
    ...[/^(?:error: )?script "\S+" exited with code \d+/, /^ELIFECYCLE\b/, /^error Command failed with exit code/],
    ...[/^error: (?:could not compile|test failed|aborting due)/, /^\(Use `node --trace-uncaught/, /^\d+ \|/],
    // Counts say that something failed, but not what.
    ...[
      /^(?:[#ℹ] )?(?:tests|pass|fail|cancelled|skipped|todo|suites|duration_ms) \d/,
      /^\d+ (?:pass|fail|skip|todo)\b/,
    ],
    ...[/^Ran \d+ tests?\b/, /^(?:Tests|Test Suites|Test Files|Snapshots|Time|Duration|Ran all)\b/, /^FAIL(?:ED)?\b/],
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
