import type { Repo } from '../../platform/git/find-repo.ts'
import { type GitPlace, gitError } from '../../platform/git/git.ts'
import { tryOwnGit } from '../../platform/git/own-git.ts'
import { checkoutFrom } from '../../platform/git/settings/checkout-place.ts'
import { listUnmerged } from '../../platform/git/uncommitted.ts'

export interface Conflict {
  with: string
  files: string[]
}

/** Merges the commits in order into the checked-out one, up to the first conflict, which is left as it is. */
export function mergeIn(
  place: GitPlace,
  commits: readonly string[],
  branch: string,
  flags: readonly string[] = [],
): Conflict | null {
  for (const commit of commits) {
    const files = mergeOne(place, commit, branch, flags)
    if (files !== null) return { with: commit, files }
  }
  return null
}

/** Whether a merge of two commits conflicts. Git before 2.38 cannot answer this: then the merge itself shows it. */
export function isConflict(repo: Repo, one: string, other: string): boolean {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', one, other]
  return tryOwnGit(checkoutFrom(repo), args).code === 1
}

function mergeOne(place: GitPlace, commit: string, branch: string, flags: readonly string[]): string[] | null {
  const message = `Merge ${commit.slice(0, 10)} into ${branch}`
  const args = ['merge', ...MERGE_FLAGS, ...flags, '-m', message, commit]
  const exit = tryOwnGit(place, args)
  if (exit.code === 0) return null
  if (/refusing to merge unrelated histories/.test(exit.stderr)) return []
  const files = listUnmerged(place)
  if (files.length === 0) throw gitError(args, exit)
  return files
}

/** Each flag overrides a setting of the user that would change the merge. */
const MERGE_FLAGS = [
  ...['--quiet', '--no-edit', '--ff', '--commit', '--no-squash', '--no-gpg-sign', '--no-verify-signatures'],
  ...['--no-autostash', '--no-stat', '--no-log'],
]
