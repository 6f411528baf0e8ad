import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit, tryOwnGit } from '../../platform/git/own-git.ts'

/** The commits that a branch has and the base does not: those that will land. */
export interface OwnCommits {
  /** Oldest first. */
  commits: string[]
  /** The merge commits among them. */
  merges: string[]
  /** The commit that they start from; null if there is none or more than one. */
  from: string | null
}

/**
 * `landed`: tips of branches whose work is in the base as other commits, by cherry-pick or squash. A branch built on
 * them still has the original commits in its history, and these must not land again.
 */
export function ownCommits(place: GitPlace, base: string, tip: string, landed: readonly string[]): OwnCommits {
  const known = landed.filter((head) => tryOwnGit(place, ['cat-file', '-e', `${head}^{commit}`]).code === 0)
  const range = ['--reverse', '--topo-order', '--parents', '--boundary', tip, '--not', base, ...known]
  const rows = runOwnGit(place, ['rev-list', ...range, '--'])
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((row) => row.split(' '))
  const boundaries = rows.flatMap(([oid = '']) => (oid.startsWith('-') ? [oid.slice(1)] : []))
  const commits = rows.filter(([oid = '']) => !oid.startsWith('-'))
  return {
    commits: commits.map(([oid = '']) => oid),
    merges: commits.flatMap(([oid = '', ...parents]) => (parents.length > 1 ? [oid] : [])),
    from: boundaries.length === 1 ? (boundaries[0] ?? null) : null,
  }
}
