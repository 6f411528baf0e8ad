import { own } from '../../engine/worktree/place.ts'
import { type GitPlace, runGit, tryGit } from '../../platform/git/git.ts'

/** What a branch has that the base has not: the commits to be landed. */
export interface OwnCommits {
  /** Oldest first. */
  commits: string[]
  /** Those of them that merged something in. */
  merges: string[]
  /** The one commit that they start from; null where that is none or several. */
  from: string | null
}

/**
 * `landed`: tips of branches whose work is in the base under other names, by cherry-pick or squash. What was built on
 * them still has the commits themselves in its history, and they must not land twice.
 */
export function ownCommits(place: GitPlace, base: string, tip: string, landed: readonly string[]): OwnCommits {
  const known = landed.filter((head) => tryGit(place, own('cat-file', '-e', `${head}^{commit}`)).code === 0)
  const range = ['--reverse', '--topo-order', '--parents', '--boundary', tip, '--not', base, ...known]
  const rows = runGit(place, own('rev-list', ...range, '--'))
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
