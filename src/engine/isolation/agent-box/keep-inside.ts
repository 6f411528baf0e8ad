/** The part of `runInside` that runs in the box, as `gza __keep ORDER` in the worktree. */
import { findRepo } from '../../../platform/git/find-repo.ts'
import type { Env, GitPlace } from '../../../platform/git/git.ts'
import { placeAt } from '../../../platform/git/own-git.ts'
import { readHead } from '../../../platform/git/refs.ts'
import type { Change } from '../../../platform/git/uncommitted.ts'
import { commitLeftovers, listAllLeft } from '../../worktree/commit-leftovers.ts'
import { joinTheirs, type Theirs } from '../../worktree/join-theirs.ts'
import { commitAside, isSetAside, putBack } from '../../worktree/set-aside.ts'

export interface InsideOrder {
  /** The private git folder, as the box shows it. The `.git` of the worktree leads there only while an agent works. */
  gitDir: string
  /** `Name <mail>` of commits. */
  identity: string
  /** That of the commit of what is not committed; null: nothing is committed. */
  message: string | null
  /** The commit that must be checked out; null: any. */
  at: string | null
  /** What others have put on the branch; null: nothing. */
  theirs: Theirs | null
  /** Not null: what is not committed is committed to the branch `SET_ASIDE`; or it was, and the files are put back. */
  aside: { message: string; isKept: boolean } | null
}

/** Only looks. */
export const NOTHING_INSIDE = { identity: '', message: null, at: null, theirs: null, aside: null } as const

export const SET_ASIDE = 'gza-set-aside'

export interface InsideAnswer {
  /** What is not committed. */
  left: { path: string; state: string; why: string }[]
  /** Not null: both have changed the same. Then the agent's commit is on another branch, and theirs is checked out. */
  conflict: { own: string; files: string[] } | null
}

/** Returns the answer as text. */
export async function keepInside(cwd: string, env: Env, text: string): Promise<string> {
  const { gitDir, message, identity, at, theirs, aside } = JSON.parse(text) as InsideOrder
  const there = { GIT_DIR: gitDir, GIT_WORK_TREE: cwd }
  const repo = findRepo(cwd, { ...env, ...there })
  const { oid: before } = readHead(repo)
  if (before === null || (at !== null && at !== before)) throw new Error(`it is at ${before}`)
  const found = placeAt(repo, cwd, identity)
  const place = { ...found, env: { ...found.env, ...there } }
  const changes = await listAllLeft(place)
  if (aside !== null) setAside(place, changes, aside)
  const kept = message === null ? null : await commitLeftovers(place, { before, changes, message })
  const left = kept?.refused.map(({ path, why }) => ({ path, state: '  ', why }))
  const conflict = theirs === null ? null : joinTheirs(place, theirs)
  const answer: InsideAnswer = { left: left ?? changes.map((change) => ({ ...change, why: '' })), conflict }
  return JSON.stringify(answer)
}

function setAside(
  place: GitPlace,
  changes: readonly Change[],
  { message, isKept }: NonNullable<InsideOrder['aside']>,
): void {
  const chosen = changes.filter(isSetAside)
  if (isKept) putBack(place, chosen)
  else if (chosen.length > 0) commitAside(place, chosen, { ref: `refs/heads/${SET_ASIDE}`, message })
}
