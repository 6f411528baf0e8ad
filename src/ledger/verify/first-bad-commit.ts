import type { Repo } from '../../platform/git/find-repo.ts'
import { readLogRecords } from '../log-records.ts'
import { type Problem, verifyHistory } from './verify-history.ts'

/** A commit of a ledger that is not a legal step. `author` is what git shows: name and address. */
export interface BadCommit extends Problem {
  author: string
}

export interface Judged {
  commits: number
  problems: Problem[]
  /** The first bad commit that nobody has accepted. */
  firstBad: BadCommit | null
  /** How many bad commits a person has accepted. */
  accepted: number
}

/** Checks every commit that `to` has and `from` has not. Commits that a person has accepted count as legal. */
export function judgeHistory(
  repo: Repo,
  { from, to, accepted }: { from: string | null; to: string; accepted: ReadonlySet<string> },
): Judged {
  const { commits, problems } = verifyHistory(repo, from, to)
  const open = problems.filter(({ commit }) => !accepted.has(commit))
  const known = new Set(problems.map(({ commit }) => commit).filter((commit) => accepted.has(commit)))
  const [first] = open
  const firstBad = first === undefined ? null : { ...first, author: authorOf(repo, first.commit) }
  return { commits, problems: open, firstBad, accepted: known.size }
}

export function authorOf(repo: Repo, commit: string): string {
  return readLogRecords(repo, ['%an <%ae>'], ['--no-walk', commit, '--'])[0]?.[0] ?? 'unknown'
}
