/**
 * The change of a ledger for which this process waits at this moment. Git may have moved the ref already: whoever reads
 * the ledger then needs no git to bring the index up to date.
 */
import type { Repo } from '../../../platform/git/find-repo.ts'

export interface MovingLedger {
  from: string | null
  to: string
  /** Brings the index from one to the other. */
  index: () => void
}

const moving = new WeakMap<Repo, MovingLedger>()

export async function whileMoving<T>(repo: Repo, change: MovingLedger, move: () => Promise<T>): Promise<T> {
  moving.set(repo, change)
  try {
    return await move()
  } finally {
    moving.delete(repo)
  }
}

/** The change that leads from one commit to the other, if it is under way and nobody has used it yet. */
export function takeMoving(repo: Repo, from: string, to: string | null): MovingLedger | null {
  const change = moving.get(repo)
  if (change === undefined || change.from !== from || change.to !== to) return null
  moving.delete(repo)
  return change
}
