import { whyNotForward } from '../../core/ledger/forward-steps.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'
import { isAncestor } from '../links.ts'
import { readTrees } from '../read-trees.ts'
import { readSteps } from './step-lines.ts'
import { commitsNotByAgent, verifyHistory } from './verify-history.ts'

export type StepVerdict = { ok: true } | { ok: false; why: string }

/**
 * May an agent move a ledger from one commit to another? Only forward, only by agent-mode commits, and without any
 * loss.
 */
export function checkStep(repo: Repo, { from, to }: { from: string | null; to: string }): StepVerdict {
  if (from === to) return { ok: true }
  if (tryGit(repo, ['cat-file', '-t', to]).stdout.toString().trim() !== 'commit')
    return { ok: false, why: `${short(to)} is not a commit` }
  if (from !== null && !isAncestor(repo, from, to))
    return { ok: false, why: `${short(to)} is not a descendant of ${short(from)}` }
  const [foreign] = commitsNotByAgent(repo, from, to)
  if (foreign !== undefined) return { ok: false, why: `${short(foreign)} is not marked as made by an agent` }
  const problem = verifyHistory(repo, from, to).problems[0]
  return problem ? { ok: false, why: `${short(problem.commit)}: ${problem.why}` } : { ok: true }
}

/**
 * What people changed between two commits that an agent may not change. Null if the step is illegal for people too:
 * something went back, was lost or was forged.
 */
export function changedByPeople(repo: Repo, from: string | null, to: string): string[] | null {
  if (from !== null && !isAncestor(repo, from, to)) return null
  if (verifyHistory(repo, from, to).problems.length > 0) return null
  const trees = readTrees(repo, from === null ? [to] : [from, to])
  const side = (commit: string) => ({ commit, tree: trees.get(commit) ?? '' })
  const [lines] = readSteps(repo, [{ from: from === null ? null : side(from), to: side(to) }])
  return [...(lines?.after ?? [])].flatMap(
    ([uid, after]) => whyNotForward(lines?.before.get(uid) ?? null, after, 'agent') ?? [],
  )
}

/**
 * Whether gza itself made this step, for a person or to repair a ledger: every commit of it that is not an agent's is one
 * of these, and nothing was lost.
 */
export function isMadeByGza(
  repo: Repo,
  { from, to }: { from: string | null; to: string },
  isKnown: (commit: string) => boolean,
): boolean {
  return commitsNotByAgent(repo, from, to).every(isKnown) && changedByPeople(repo, from, to) !== null
}

function short(oid: string): string {
  return oid.slice(0, 7)
}
