/**
 * Ledgers that this process watches while agents run. A writer lets the watcher look first: a fact that is written to a
 * deleted or rewound ledger would be the start of a history that nobody made.
 */
import type { Repo } from '../../platform/git/find-repo.ts'

interface Watch {
  look: () => void
  isLooking: boolean
}

const watches = new WeakMap<Repo, Map<string, Watch>>()

export function watchRef(repo: Repo, ref: string, look: () => void): void {
  const all = watches.get(repo) ?? new Map<string, Watch>()
  watches.set(repo, all.set(ref, { look, isLooking: false }))
}

/** Repairs the ledger if it is watched. The repair itself writes, and does not look again. */
export function lookAtRef(repo: Repo, ref: string): void {
  const watch = watches.get(repo)?.get(ref)
  if (watch === undefined || watch.isLooking) return
  watch.isLooking = true
  try {
    watch.look()
  } finally {
    watch.isLooking = false
  }
}
