/**
 * The branch of a run is moved by its own agent, in its worktree, and there git logs each step of HEAD. What moves it
 * from elsewhere, or by hand, is not in that log. Nobody does that while working: git itself refuses to move a branch that
 * is checked out in another worktree.
 */
import { join } from 'node:path'
import { fileExists, readTextIfThere } from '../../../platform/files/files.ts'
import { realPath } from '../../../platform/files/inspect-file.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { readRef } from '../../../platform/git/refs.ts'
import { adminFolder } from '../../../platform/git/worktree-folder.ts'
import { leasesByLife } from '../../../state/live/leases.ts'
import type { Live } from '../../../state/live/open-live.ts'
import { isBoxedRun } from '../../isolation/private-git/worktree-state.ts'
import { hasAny } from './changed-refs.ts'
import { readSteps } from './persons-steps.ts'
import { personsCommit, putBack, takeIn } from './take-in-commits.ts'

/** A change of a run's branch that its own agent has not made. */
export interface Intrusion {
  ref: string
  /** Its run. */
  owner: string
  /** The last commit that its agent gave it. */
  from: string
  /** Null: it was deleted. */
  to: string | null
  isPutBack: boolean
  /** The last commit that a person has made on it in a checkout of their own; null: nobody has. */
  persons: string | null
}

/**
 * Finds what was done to the branches of living runs, and puts them back where nothing was built on it. `unlanded`: the
 * commits of other runs than that of a branch. `since`: earlier steps are not judged again.
 */
export function findIntrusions(repo: Repo, { live, now, since, unlanded, checkouts, closing }: LookingAt): Intrusion[] {
  if (!repo.hasFileRefs) return []
  return leasesByLife(live, now).held.flatMap(({ branch, path, run, expires_at }) => {
    if (branch === null || path === null || expires_at !== null) return []
    const found = lookAt(repo, { branch, path, since })
    if (found === null || isCutOff(repo, { branch, ...found })) return []
    const persons = personsCommit(repo, checkouts, { branch, ...found })
    // Its own import brings them together: outside, git would run filters on the files of its agent.
    if (persons !== null && isBoxedRun(repo, path, run)) return []
    // As long as its agent works, its next commit may still undo the person's. The guard of that run looks again.
    if (persons !== null && found.isBuiltOn && run !== closing) return []
    if (persons !== null && takeIn(repo, { branch, path, ...found, persons })) return []
    return [{ ...settle(repo, { branch, ...found }, unlanded), owner: run, persons }]
  })
}

interface LookingAt {
  /** The run whose agent or check has just ended. */
  closing: string
  live: Live
  now: string
  since: string
  unlanded: Unlanded
  /** Those of people. */
  checkouts: readonly string[]
}

export type Unlanded = (except: string) => ReadonlySet<string>

interface Found {
  from: string
  to: string | null
  /** What the branch was moved to from outside: its value now, or what the agent has gone on from. */
  moved: string | null
  /** The agent has gone on from there, so that its own work would be lost. */
  isBuiltOn: boolean
  /** The branch is where it was before the last step of the log. */
  isOneBehind: boolean
}

function lookAt(repo: Repo, about: { branch: string; path: string; since: string }): Found | null {
  let known: string | null = null
  for (let look = 0; ; look++) {
    const found = lookOnce(repo, about)
    const words = JSON.stringify(found)
    if (found === null || (words === known && !isMoving(repo, about)) || look === MOST_LOOKS) return found
    known = words
    Bun.sleepSync(LOOK_MS)
  }
}

const MOST_LOOKS = 20
const LOOK_MS = 50

/** Git writes the log and moves the branch one after the other, and holds its locks meanwhile. */
function isMoving(repo: Repo, { branch, path }: { branch: string; path: string }): boolean {
  const folder = adminFolder(repo, realPath(path)) ?? ''
  return [join(repo.commonDir, `refs/heads/${branch}.lock`), join(folder, 'HEAD.lock')].some(fileExists)
}

/** Null where git keeps no log, and while the worktree is in the middle of a rebase. */
function lookOnce(repo: Repo, { branch, path, since }: { branch: string; path: string; since: string }): Found | null {
  const folder = adminFolder(repo, realPath(path))
  const ref = `refs/heads/${branch}`
  if (folder === null || readTextIfThere(join(folder, 'HEAD'))?.trim() !== `ref: ${ref}`) return null
  const to = readRef(repo, ref)
  const steps = readSteps(join(folder, 'logs/HEAD'))
  const last = steps.at(-1)
  if (last === undefined) return null
  if (last.to !== to) return { from: last.to, to, moved: to, isBuiltOn: false, isOneBehind: last.from === to }
  const first = Math.floor(Date.parse(since) / 1000)
  const gap = steps.findLast((step, at) => step.at >= first && at > 0 && steps[at - 1]?.to !== step.from)
  const before = gap === undefined ? undefined : steps[steps.indexOf(gap) - 1]
  if (gap === undefined || before === undefined) return null
  return { from: before.to, to, moved: gap.from, isBuiltOn: true, isOneBehind: false }
}

/** A git that was killed between its log and the branch. The step is completed: its commit and its index are there. */
function isCutOff(repo: Repo, { branch, from, to, isOneBehind }: Found & { branch: string }): boolean {
  if (isOneBehind) putBack(repo, { ref: `refs/heads/${branch}`, from, to })
  return isOneBehind
}

function settle(
  repo: Repo,
  found: Found & { branch: string },
  unlanded: Unlanded,
): Omit<Intrusion, 'owner' | 'persons'> {
  const { branch, from, to, isBuiltOn } = found
  const ref = `refs/heads/${branch}`
  // A person's commit that the worktree could not take in.
  if (!isBuiltOn && readRef(repo, ref) === from) return { ref, from, to, isPutBack: true }
  const isForeign = to === null || isMovedByGit(repo, ref, to) || hasAny(repo, { from, to }, unlanded(branch))
  return { ref, from, to, isPutBack: !isBuiltOn && isForeign && putBack(repo, { ref, from, to }) }
}

/** Git has moved it, and not in its worktree. A tool that writes refs by itself may write no log at all. */
function isMovedByGit(repo: Repo, ref: string, to: string): boolean {
  return readSteps(join(repo.commonDir, 'logs', ref)).at(-1)?.to === to
}
