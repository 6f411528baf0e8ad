/** The part of `runInside` that runs in the box, as `gza __keep ORDER` in the worktree. */
import { findRepo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { placeAt } from '../../../platform/git/own-git.ts'
import { readHead } from '../../../platform/git/refs.ts'
import { commitLeftovers, listAllLeft } from '../../worktree/commit-leftovers.ts'

export interface InsideOrder {
  /** `Name <mail>` of commits. */
  identity: string
  /** That of the commit of what is not committed; null: nothing is committed. */
  message: string | null
  /** The commit that must be checked out; null: any. */
  at: string | null
}

export interface InsideAnswer {
  /** What is not committed. */
  left: { path: string; state: string; why: string }[]
}

/** Returns the answer as text. */
export async function keepInside(cwd: string, env: Env, text: string): Promise<string> {
  const { message, identity, at } = JSON.parse(text) as InsideOrder
  const repo = findRepo(cwd, env)
  const { oid: before } = readHead(repo)
  if (before === null || (at !== null && at !== before)) throw new Error(`it is at ${before}`)
  const place = placeAt(repo, cwd, identity)
  const changes = await listAllLeft(place)
  const kept = message === null ? null : await commitLeftovers(place, { before, changes, message })
  const left = kept?.refused.map(({ path, why }) => ({ path, state: '  ', why }))
  const answer: InsideAnswer = { left: left ?? changes.map((change) => ({ ...change, why: '' })) }
  return JSON.stringify(answer)
}
