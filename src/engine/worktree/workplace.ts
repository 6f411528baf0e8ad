/**
 * Where a task is worked on: one branch and one worktree for each task, outside the worktree of the person who
 * started gza. One rule applies everywhere here: anything that is not in a commit of a branch is never removed or
 * overwritten.
 *
 * A workplace is prepared (prepare.ts), an agent works in it, what it left uncommitted is kept as a commit
 * (keep-leftovers.ts), the commit is checked (check/check-work.ts), and the worktree is removed (remove.ts) if it
 * holds nothing but committed work. platform/git/repo-state.ts finds what happened in the person's checkout meanwhile.
 */

import { join } from 'node:path'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { runOwnGit, runOwnGitAsync } from '../../platform/git/own-git.ts'
import { workplaceRoot } from '../../platform/git/workplace-root.ts'

export interface Workplace {
  branch: string
  path: string
  /** The commit that the work started from. */
  base: string
}

/** Where a run works: a task that makes commits has a path for its branch, any other task one for the run. */
export function workplacePath(repo: Repo, env: Env, { branch, run }: { branch: string | null; run: string }): string {
  return join(workplaceRoot(repo, env), branch ?? run)
}

/** Why a run's worktree is locked, as git shows it to a person who wants to remove it. */
export function lockReason({ task, run }: { task: { id: string }; run: string }): string {
  return `${task.id} is being worked on here (${run})`
}

/** Every path that differs between two commits, with both names of a renamed file. */
export async function changedFiles(repo: Repo, base: string, head: string): Promise<string[]> {
  return readPaths(await runOwnGitAsync(repo, [...DIFF, base, head]))
}

export function changedFilesNow(repo: Repo, base: string, head: string): string[] {
  return readPaths(runOwnGit(repo, [...DIFF, base, head]))
}

const DIFF = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=none']

function readPaths(output: Buffer): string[] {
  return output.toString().split('\0').filter(Boolean)
}
