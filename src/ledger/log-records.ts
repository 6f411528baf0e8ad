import type { Repo } from '../platform/git/find-repo.ts'
import { runGit } from '../platform/git/git.ts'

/**
 * What `git log` prints about commits, one record each, with the requested fields. They are separated by NUL, the one
 * character that git allows in no commit: with any other, a trailer could contain extra fields, and name other parents
 * than the commit has.
 */
export function readLogRecords(repo: Repo, fields: readonly string[], args: readonly string[]): string[][] {
  const format = fields.map((field) => `${field}%x00`).join('')
  // Anyone who writes a commit into .git/shallow makes it the beginning of the history; a ledger has no such beginning.
  const place = { dir: repo.dir, env: { ...repo.env, GIT_SHALLOW_FILE: '' } }
  const options = ['--no-show-signature', '--encoding=UTF-8', `--format=tformat:${format}`]
  const output = runGit(place, ['log', ...options, ...args])
  const words = output.toString().split('\0')
  const records: string[][] = []
  // Each record ends with a newline, which comes before the first field of the next.
  for (let at = 0; at + fields.length < words.length; at += fields.length)
    records.push(words.slice(at, at + fields.length).map((word, n) => (n === 0 ? word.replace(/^\n/, '') : word)))
  return records
}

/** The values of a trailer, separated by commas. */
export function trailer(key: string): string {
  return `%(trailers:key=${key},valueonly,separator=%x2C)`
}
