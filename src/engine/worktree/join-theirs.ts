/**
 * People commit on the branch of a run in other checkouts, or in its worktree, while its agent works in a box and does not
 * see it. Here, in the box, the agent's commits are put on top of theirs.
 */
import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit, tryOwnGit } from '../../platform/git/own-git.ts'
import { mergeIn } from './merge-in.ts'

export interface Theirs {
  branch: string
  /** What is on the real branch. */
  commit: string
  /** Where the agent has started from. */
  base: string
  /** Their commits were made in this worktree, so its files already contain them. */
  isMadeHere: boolean
}

/** Everything is committed before. Null: the branch has both now. */
export function joinTheirs(place: GitPlace, theirs: Theirs): { own: string; files: string[] } | null {
  const own = headOf(place)
  if (rebase(place, theirs)) return null
  const files = merge(place, theirs)
  if (files === null) return null
  tryOwnGit(place, ['merge', '--abort'])
  // The next agent here must not undo what others have committed.
  runOwnGit(place, ['update-ref', `refs/heads/${theirs.branch}.agent`, own])
  runOwnGit(place, ['checkout', '--quiet', '-B', theirs.branch, theirs.commit])
  return { own, files }
}

function headOf(place: GitPlace): string {
  return runOwnGit(place, ['rev-parse', 'HEAD']).toString().trim()
}

/** A history with merges is merged: a rebase would leave them out. */
function rebase(place: GitPlace, { commit, base, isMadeHere }: Theirs): boolean {
  const merges = runOwnGit(place, ['rev-list', '--merges', '--max-count=1', `${base}..HEAD`])
  if (merges.length > 0) return false
  const newest = isMadeHere ? ['--strategy-option=theirs'] : []
  const isDone = tryOwnGit(place, [...SETTINGS, 'rebase', ...FLAGS, ...newest, '--onto', commit, base]).code === 0
  if (!isDone) tryOwnGit(place, ['rebase', '--abort'])
  return isDone
}

const SETTINGS = ['rebase.autoSquash=false', 'rebase.updateRefs=false', 'sequence.editor=:'].flatMap((setting) => [
  '-c',
  setting,
])
const FLAGS = ['--quiet', '--no-autostash', '--no-gpg-sign', '--no-stat', '--no-fork-point']

/** The files in conflict; null: it is merged. */
function merge(place: GitPlace, { commit, branch, isMadeHere }: Theirs): string[] | null {
  try {
    return mergeIn(place, [commit], branch, isMadeHere ? ['--strategy-option=ours'] : [])?.files ?? null
  } catch {
    // Something that gza does not commit is in the way.
    return []
  }
}
