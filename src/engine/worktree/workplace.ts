/**
 * Where a task is worked on: one branch and one worktree for each task, outside the worktree of the person who
 * started gza. One rule applies everywhere here: anything that is not in a commit of a branch is never removed or
 * overwritten.
 *
 * A workplace is prepared (prepare.ts), an agent works in it, what it left uncommitted is kept as a commit
 * (keep-leftovers.ts), the commit is checked (check/check-work.ts), and the worktree is removed (remove.ts) if it
 * holds nothing but committed work. outside-changes.ts finds what happened outside of it meanwhile.
 */

import { createHash } from 'node:crypto'
import { basename, dirname, join, sep } from 'node:path'
import { realPath } from '../../platform/files/inspect-file.ts'
import { userStateFolder } from '../../platform/files/user-folders.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { runOwnGit, runOwnGitAsync } from '../../platform/git/own-git.ts'

export interface Workplace {
  branch: string
  path: string
  /** The commit that the work started from. */
  base: string
}

/** The folder of all worktrees that gza makes for a repository. It is the same for all its checkouts. */
export function workplaceRoot(repo: Repo, env: Env): string {
  const key = JSON.stringify([repo.commonDir, repo.workTree, env.XDG_STATE_HOME, env.HOME])
  const root = roots.get(key) ?? findRoot(repo, env)
  roots.set(key, root)
  return root
}

/** A cache: it is needed at every step of a run and never changes during a process. */
const roots = new Map<string, string>()

function findRoot(repo: Repo, env: Env): string {
  const common = realPath(repo.commonDir)
  const hash = createHash('sha256').update(common).digest('hex').slice(0, 8)
  const name = `${repoName(common)}-${hash}`
  const root = join(realPath(userStateFolder(env)), 'worktrees', name)
  // If the home folder is itself a repository, it would show the worktrees as untracked.
  const isInside = repo.workTree !== null && root.startsWith(realPath(repo.workTree) + sep)
  return isInside ? join(common, 'gza', 'worktrees') : root
}

/** Where a run works: a task that makes commits has a path for its branch, any other task one for the run. */
export function workplacePath(repo: Repo, env: Env, { branch, run }: { branch: string | null; run: string }): string {
  return join(workplaceRoot(repo, env), branch ?? run)
}

function repoName(commonDir: string): string {
  const folder = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(commonDir, '.git')
  return folder.replace(/[^A-Za-z0-9._-]+/g, '-') || 'repo'
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
