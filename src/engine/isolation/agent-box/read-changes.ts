/** What is not committed in the worktree of a run. Nothing that its agent has written runs outside of the box meanwhile. */
import type { Repo } from '../../../platform/git/find-repo.ts'
import { placeAt } from '../../../platform/git/own-git.ts'
import { readHead } from '../../../platform/git/refs.ts'
import { withoutFilters } from '../../../platform/git/settings/without-filters.ts'
import { type Change, listUncommitted } from '../../../platform/git/uncommitted.ts'
import { openWorkTree } from '../../../platform/git/worktrees.ts'
import { openPrivateGit, type PrivateGit, privateFolder } from '../private-git/private-git.ts'
import { NOTHING_INSIDE } from './keep-inside.ts'
import { runInside } from './run-inside.ts'
import { findBoxLevel } from './run-level.ts'

export async function readChanges(repo: Repo, path: string): Promise<Change[]> {
  const place = withoutFilters(repo, path)
  const seeming = await listUncommitted(place)
  if (seeming.length === 0 || place.settings.length === 0) return seeming
  // A file that a filter has changed seems to differ.
  const git = openPrivateGit(privateFolder(repo, repo.env, path))
  const asked = git === null ? null : await ask(repo, git)
  // Then each filter runs in a box of its own (box-programs.ts).
  return asked ?? listUncommitted(placeAt(repo, path))
}

/** Null: the box cannot know it. */
async function ask(repo: Repo, git: PrivateGit): Promise<Change[] | null> {
  const { worktree, tip } = git.about
  const workTree = openWorkTree(repo, worktree)
  const level = await findBoxLevel(repo.env)
  if (level === 'none' || workTree === null || readHead(workTree).oid !== tip) return null
  const answer = await runInside(repo, { git, level }, { ...NOTHING_INSIDE, at: tip })
  return typeof answer === 'string' ? null : answer.left.map(({ path, state }) => ({ path, state }))
}
