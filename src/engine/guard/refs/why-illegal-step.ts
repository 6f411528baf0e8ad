import { checkStep } from '../../../ledger/verify/check-step.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryGit } from '../../../platform/git/git.ts'

/** Why an agent may not move a ledger in this way, or null if it may. Refused if this cannot be decided. */
export function whyIllegalStep(repo: Repo, from: string | null, to: string): string | null {
  // Git would read a tag as its commit, and a blob as an empty history.
  if (tryGit(repo, ['cat-file', '-t', to]).stdout.toString() !== 'commit\n') return `${to.slice(0, 7)} is not a commit`
  try {
    const step = checkStep(repo, { from, to })
    return step.ok ? null : step.why
  } catch {
    return `${to.slice(0, 7)} cannot be read as a ledger`
  }
}
