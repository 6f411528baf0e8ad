/**
 * The steps that this process itself has taken on ledgers, each with its predecessor as parent. A caller that finds a
 * ledger at the end of one of them needs no git to know that it went forward and that gza moved it.
 */
import type { Repo } from '../../platform/git/find-repo.ts'

const taken = new WeakMap<Repo, Map<string, string>>()

export function noteOwnStep(repo: Repo, from: string, to: string): void {
  const steps = taken.get(repo) ?? new Map<string, string>()
  taken.set(repo, steps.set(from, to))
}

/** Whether this process has made the commit. */
export function isOwnStep(repo: Repo, commit: string): boolean {
  return [...(taken.get(repo)?.values() ?? [])].includes(commit)
}

/** Whether only own steps led from one commit to the other. */
export function areOwnSteps(repo: Repo, from: string, to: string): boolean {
  const steps = taken.get(repo)
  let at: string | undefined = from
  // A commit depends on its parents, so this never cycles.
  while (at !== undefined && at !== to) at = steps?.get(at)
  return at === to
}
