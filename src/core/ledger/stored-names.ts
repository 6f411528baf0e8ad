/**
 * Names in a ledger that gza passes on to git or uses in paths. Anybody who can write a ledger chooses them, so each is
 * checked where it is used: `--output=FILE` is not a commit, and `a/../../b` is not a branch. The ledger keeps what it
 * has.
 */

/** A whole or abbreviated object id. */
export function isCommitId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{4,64}$/.test(value)
}

export function commitOrNull(value: unknown): string | null {
  return isCommitId(value) ? value : null
}

/** A run's name becomes the name of files and folders. */
export function isRunName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9][\w.-]*$/.test(value) && !value.includes('..')
}
