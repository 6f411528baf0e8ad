/** An outage of the database or the remote causes an error many times a second. One in ten seconds says enough. */
const PAUSE_MS = 10_000

export interface ErrorReport {
  say: (sentence: string) => void
  failed: (error: Error) => void
  /** Nobody has waited for it. */
  unexpected: (error: Error) => void
  /** For a promise of whether something was done. */
  failedTo: (what: string) => (error: Error) => false
}

export function openErrorReport(report: (sentence: string) => void): ErrorReport {
  let quietUntil = Number.NEGATIVE_INFINITY
  const say = (sentence: string): void => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + PAUSE_MS
    report(sentence)
  }
  return {
    say,
    failed: (error) => say(`The database does not answer: ${textOf(error)}`),
    unexpected: (error) => say(`An unexpected error, which may be a defect: ${textOf(error)}`),
    failedTo: (what) => (error) => {
      say(`Could not ${what}: ${textOf(error)}`)
      return false
    },
  }
}

/** Some errors of the driver have no message of their own. */
function textOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: unknown[] }
  if (message) return message.split('\n')[0] ?? ''
  return code ?? (errors?.length ? textOf(errors[0]) : 'unknown error')
}
