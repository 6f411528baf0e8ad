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

/** The rules of git-check-ref-format, for a name below `refs/heads/` or `refs/tasks/`. */
export function isBranchName(value: unknown): value is string {
  return typeof value === 'string' && !value.startsWith('-') && value !== 'HEAD' && isRefPath(value)
}

/** The same for a whole ref. */
export function isRefPath(value: string): boolean {
  return value !== '' && !FORBIDDEN.test(value)
}

const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git allows none of them in a ref
  /[\u0000-\u0020~^:?*[\\\u007f]|\.\.|@\{|\/\/|^\/|\/$|\.$|(?:^|\/)\.|\.lock(?:\/|$)|^@$/

/** A run's name becomes the name of files and folders. */
export function isRunName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9][\w.-]*$/.test(value) && !value.includes('..')
}
