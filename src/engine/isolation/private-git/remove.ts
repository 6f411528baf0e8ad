import { join } from 'node:path'
import { fileExists, removeFile } from '../../../platform/files/files.ts'
import { removeBelow, removeBelowAsync } from '../../../platform/files/untrusted/remove-below.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryOwnGit, tryOwnGitAsync } from '../../../platform/git/own-git.ts'
import { readRefsIn } from '../../../platform/git/ref-files.ts'
import {
  ABOUT,
  type About,
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
  if (git !== null && !forgetRefs(repo, refsOf(repo, git.about))) return 'kept'
  // First, so that what a crash leaves counts as half made.
  removeFile(join(folder, ABOUT))
  return removeBelow(folder) ? 'removed' : 'kept'
}

/** The same for that of a worktree, which may have none. */
export function removePrivateGitNow(repo: Repo, worktree: string): void {
  for (const folder of foldersOf(repo, worktree)) removePrivateGit(repo, folder)
}

/** The same without keeping other runs from working meanwhile. */
export async function removePrivateGitOf(repo: Repo, worktree: string): Promise<void> {
  for (const folder of foldersOf(repo, worktree)) {
    const git = openPrivateGit(folder)
    if (git !== null && whyNeeded(repo, git) !== null) continue
    const refs = git === null ? [] : refsOf(repo, git.about)
    if (refs.length > 0 && (await tryOwnGitAsync(repo, DELETING, deletions(refs))).code !== 0) continue
    removeFile(join(folder, ABOUT))
    await removeBelowAsync(folder)
  }
}

function foldersOf(repo: Repo, worktree: string): string[] {
  const folder = privateFolder(repo, repo.env, worktree)
  return [folder, besideFolder(folder)].filter(fileExists)
}

function refsOf(repo: Repo, about: About): string[] {
  return [...basesOf(repo, about, null), ...readRefsIn(repo, [incomingRef(about.run, '')]).keys()]
}

/** The refs that keep what its runs build on, except for one run. */
export function basesOf(repo: Repo, { run, earlier = [] }: About, except: string | null): string[] {
  const runs = [run, ...earlier].filter((each) => each !== except)
  return runs.length === 0 ? [] : [...readRefsIn(repo, runs.map(baseRef)).keys()]
}

/** False: git could not, because of a lock. They go with the private folder, which stays until a later call. */
export function forgetRefs(repo: Repo, refs: readonly string[]): boolean {
  if (refs.length === 0) return true
  return tryOwnGit(repo, DELETING, deletions(refs)).code === 0
}

const DELETING = ['update-ref', '--stdin', '-z']

function deletions(refs: readonly string[]): string {
  return refs.map((ref) => `delete ${ref}\0\0`).join('')
}
