import type { Source } from '../source.ts'
import { NO_CALLER } from './command-texts.ts'
import { FILES_OF_NAMES, USER_ERROR } from './loads.ts'
import { SHOWN_ONLY, TAKES_SQL } from './sql.ts'

/** The files and folders that a rule treats differently. */
const EXCEPTIONS = [
  ...Object.keys(NO_CALLER),
  ...FILES_OF_NAMES,
  ...USER_ERROR,
  ...Object.keys(SHOWN_ONLY),
  ...TAKES_SQL,
]

/** Exceptions for files that no longer exist. A new file of that name would be exempt without anyone noticing. */
export function missingExceptions(sources: readonly Source[], exceptions: readonly string[] = EXCEPTIONS): string[] {
  const isThere = (exception: string): boolean =>
    sources.some(({ path }) => (exception.endsWith('/') ? path.startsWith(exception) : path === exception))
  return exceptions
    .filter((exception) => !isThere(exception))
    .map((exception) => `${exception}: a rule exempts it, but it does not exist`)
}
