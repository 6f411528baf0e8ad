import type { Repo } from '../platform/git/find-repo.ts'
import { tryGit } from '../platform/git/git.ts'
import { isAncestor } from './links.ts'

/**
 * Those of the commits that none of the holders contains. One git process finds the suspects, however many there are.
 * Where the clocks of a team differ, it also prints commits that are contained: rev-list stops by date. So each suspect
 * is checked once more by the graph alone.
 */
export function unreachedTips(repo: Repo, tips: readonly string[], holders: readonly string[]): string[] {
  if (tips.length === 0) return []
  const range = [...tips, ...holders.map((holder) => `^${holder}`), '']
  const printed = new Set(tryGit(repo, ['rev-list', '--stdin'], range.join('\n')).stdout.toString().split('\n'))
  const suspects = tips.filter((tip) => printed.has(tip))
  return suspects.filter((tip) => !holders.some((holder) => isAncestor(repo, tip, holder)))
}
