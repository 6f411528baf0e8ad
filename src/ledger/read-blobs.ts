import type { Repo } from '../platform/git/find-repo.ts'
import { runGit } from '../platform/git/git.ts'

/** The contents of objects, by the requested name; names that do not exist are left out. One git process. */
export function readBlobs(repo: Repo, names: readonly string[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  if (names.length === 0) return found
  const output = runGit(repo, ['cat-file', '--batch', '--buffer'], `${names.join('\n')}\n`)
  let at = 0
  for (const name of names) {
    const end = output.indexOf(10, at)
    const header = output.toString('latin1', at, end)
    at = end + 1
    const size = /^[0-9a-f]+ [a-z]+ (\d+)$/.exec(header)?.[1]
    if (size === undefined) continue
    found.set(name, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return found
}
