import { join } from 'node:path'
import { fileExists, removeFile } from '../../../platform/files/files.ts'
import { removeBelow } from '../../../platform/files/untrusted/remove-below.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryOwnGit } from '../../../platform/git/own-git.ts'
import { readRefsIn } from '../../../platform/git/ref-files.ts'
import {
  ABOUT,
  baseRef,
  besideFolder,
  incomingRef,
  openPrivateGit,
  type PrivateGit,
  privateFolder,
} from './private-git.ts'
import { readPrivateState } from './private-state.ts'
import { whyNeeded } from './unimported.ts'

/**
 * Removes a private git folder, after its worktree, if the real repository has everything that it has. No agent was in
 * a half-made one.
 */
export function removePrivateGit(repo: Repo, folder: string): 'removed' | 'kept' {
  const git = openPrivateGit(folder)
  return git !== null && whyNeeded(repo, git) !== null ? 'kept' : remove(repo, folder, git)
}

/** Also with a merge that is unfinished: the tree that it was for is clean again, so nobody will finish it. */
export function forgetUnfinished(repo: Repo, worktree: string): void {
  const folder = privateFolder(repo, repo.env, worktree)
  const git = openPrivateGit(folder)
  if (git === null || whyNeeded(repo, git) === 'unimported' || readPrivateState(folder).hasModules) return
  remove(repo, folder, git)
}

function remove(repo: Repo, folder: string, git: PrivateGit | null): 'removed' | 'kept' {
  if (git !== null && !forgetRefs(repo, refsOf(repo, git.about.run))) return 'kept'
  // First, so that what a crash leaves counts as half made.
  removeFile(join(folder, ABOUT))
  return removeBelow(folder) ? 'removed' : 'kept'
}

/** The same for that of a worktree, which may have none. */
export function removePrivateGitOf(repo: Repo, worktree: string): void {
  const folder = privateFolder(repo, repo.env, worktree)
  for (const each of [folder, besideFolder(folder)]) if (fileExists(each)) removePrivateGit(repo, each)
}

function refsOf(repo: Repo, run: string): string[] {
  return [...readRefsIn(repo, [baseRef(run), incomingRef(run, '')]).keys()]
}

/** False: git could not, because of a lock. They go with the private folder, which stays until a later call. */
export function forgetRefs(repo: Repo, refs: readonly string[]): boolean {
  if (refs.length === 0) return true
  const lines = refs.map((ref) => `delete ${ref}\0\0`).join('')
  return tryOwnGit(repo, ['update-ref', '--stdin', '-z'], lines).code === 0
}
