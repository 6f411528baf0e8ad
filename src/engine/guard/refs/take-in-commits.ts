/**
 * A person may commit on the branch of a living run in a checkout of their own. The files of the run's worktree do not move
 * with the branch, so the agent's next commit would undo the person's. Here the worktree takes the person's commits in.
 */
import { isAncestor } from '../../../ledger/links.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { type GitPlace, tryGit } from '../../../platform/git/git.ts'
import { identityOf } from '../../../platform/git/git-identity.ts'
import { FAST_FORWARD, placeAt, tryOwnGit } from '../../../platform/git/own-git.ts'
import { swapRefs } from '../../../platform/git/refs.ts'
import { changedFilesNow } from '../../worktree/workplace.ts'
import { isMovedByPeople, madeIn } from './persons-steps.ts'

interface Found {
  branch: string
  /** The last commit that the run's agent gave the branch. */
  from: string
  /** What it was moved to from outside. */
  moved: string | null
}

/** The last commit that a person has made on the branch, or has brought there; null: it was not a person. */
export function personsCommit(repo: Repo, checkouts: readonly string[], { branch, from, moved }: Found): string | null {
  if (moved === null || !isAncestor(repo, from, moved)) return null
  if (isMovedByPeople(repo, checkouts, { ref: `refs/heads/${branch}`, from, to: moved })) return moved
  const arrived = tryGit(repo, ['rev-list', moved, `^${from}`, '--'])
    .stdout.toString()
    .split('\n')
    .filter(Boolean)
  return arrived.length > 0 && new Set(arrived).isSubsetOf(madeIn(checkouts)) ? moved : null
}

interface PersonsCommits {
  branch: string
  path: string
  from: string
  persons: string
  /** The branch as it is now. */
  to: string | null
  /** The agent has gone on from the person's commit. */
  isBuiltOn: boolean
}

/** False: the agent has changed the same files. Then the branch is as its agent left it, and a person must look. */
export function takeIn(repo: Repo, commits: PersonsCommits): boolean {
  const { branch, path, from, to, persons, isBuiltOn } = commits
  if (isBuiltOn) return to !== null && takeInAgain(repo, { ...commits, to })
  if (!putBack(repo, { ref: `refs/heads/${branch}`, from, to })) return false
  return tryOwnGit(placeAt(repo, path), [...FAST_FORWARD, persons]).code === 0
}

/** The agent may have undone the commits without knowing: then the person's files are exactly as before. */
function takeInAgain(repo: Repo, { path, from, persons, to }: PersonsCommits & { to: string }): boolean {
  const files = changedBetween(repo, from, persons)
  const isUndone = !files.isDisjointFrom(changedBetween(repo, persons, to))
  if (isUndone && !files.isDisjointFrom(changedBetween(repo, from, to))) return false
  const place = placeAt(repo, path, identityOf(repo))
  if (isUndone && isMadeAgain(place, `${from}..${persons}`)) return true
  // Changes only the person's files, and only if the agent has not. What is not committed yet is kept as a leftover.
  return tryOwnGit(place, ['read-tree', '-m', '-u', from, persons]).code === 0
}

/** On top, with the person as author. */
function isMadeAgain(place: GitPlace, range: string): boolean {
  const isMade = tryOwnGit(place, ['cherry-pick', '--allow-empty', range]).code === 0
  if (!isMade) tryOwnGit(place, ['cherry-pick', '--abort'])
  return isMade
}

function changedBetween(repo: Repo, before: string, after: string): Set<string> {
  return new Set(changedFilesNow(repo, before, after))
}

/** The files of the worktree are as they were: only the branch had moved. */
export function putBack(repo: Repo, { ref, from, to }: { ref: string; from: string; to: string | null }): boolean {
  try {
    return swapRefs(repo, [{ ref, to: from, from: to }], 'gza: put back')
  } catch {
    // Somebody holds its lock. It is reported as it is.
    return false
  }
}
