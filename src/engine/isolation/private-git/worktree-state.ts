/** What the private git folder of a worktree says about it. Without a box there is none, and nothing is said. */

import type { Repo } from '../../../platform/git/find-repo.ts'
import { readRef } from '../../../platform/git/refs.ts'
import type { WorktreeFault } from '../../worktree/worktree-fault.ts'
import { openPrivateGit, type PrivateGit, privateFolder } from './private-git.ts'
import { privateFault, readPrivateState } from './private-state.ts'
import { whyNeeded } from './unimported.ts'

/** Why the worktree is not on its branch with everything finished, as its agent in a box left it. */
export function boxedFault(
  repo: Repo,
  { worktree, branch, run }: { worktree: string; branch: string; run: string },
): WorktreeFault | null {
  const git = privateGitOf(repo, worktree)
  if (git === null || git.about.branch !== branch) return null
  // After an earlier run somebody may have gone on without a box.
  if (git.about.run !== run && readRef(repo, `refs/heads/${branch}`) !== git.about.tip) return null
  return privateFault(readPrivateState(git.folder), branch)
}

/** The run works there in a box. */
export function isBoxedRun(repo: Repo, worktree: string, run: string): boolean {
  return privateGitOf(repo, worktree)?.about.run === run
}

/** It has commits, or an unfinished merge, that are nowhere else. */
export function hasUnkeptWork(repo: Repo, worktree: string): boolean {
  const git = privateGitOf(repo, worktree)
  return git !== null && whyNeeded(repo, git) !== null
}

function privateGitOf(repo: Repo, worktree: string): PrivateGit | null {
  return openPrivateGit(privateFolder(repo, repo.env, worktree))
}

/** At the end of a line of git's log: each commit of the import was made in the box, and not only taken from elsewhere. */
export const MADE_THERE = ', made there'
