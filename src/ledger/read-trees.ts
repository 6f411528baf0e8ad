import type { Repo } from '../platform/git/find-repo.ts'
import { runGit } from '../platform/git/git.ts'

/** The tree of each commit. */
export function readTrees(repo: Repo, commits: readonly string[]): Map<string, string> {
  if (commits.length === 0) return new Map()
  const rows = runGit(
    repo,
    ['log', '--no-walk=unsorted', '--format=%H %T', '--stdin'],
    `${commits.join('\n')}\n`,
  ).toString()
  return new Map(
    rows
      .split('\n')
      .filter(Boolean)
      .map((row) => row.split(' ') as [string, string]),
  )
}
