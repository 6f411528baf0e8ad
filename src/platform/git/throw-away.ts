import { clearPath, fileExists, removeFolder } from '../files/files.ts'
import type { Repo } from './find-repo.ts'
import { runOwnGit, tryOwnGit } from './own-git.ts'
import { checkoutFrom } from './settings/checkout-place.ts'
import { withoutFilters } from './settings/without-filters.ts'
import { adminFolder } from './worktree-folder.ts'
import { LOCKED_AT_FIRST, lockWorktree } from './worktrees.ts'

/** A temporary checkout of one commit, for tasks whose result is a text. Nothing in it is kept. `why`: for its lock. */
export function makeThrowAway(repo: Repo, path: string, { commit, why }: { commit: string; why: string }): void {
  if (fileExists(path)) dropThrowAway(repo, path)
  // `--force` twice, so that git reuses a path that it still lists but whose folder is missing. No other entry changes.
  const force = ['--force', '--force', ...LOCKED_AT_FIRST]
  runOwnGit(checkoutFrom(repo, commit), ['worktree', 'add', '--quiet', ...force, '--detach', path, commit])
  lockWorktree(repo, path, why)
}

/**
 * Removes paths from a temporary checkout. Git does not report them as deleted, because it keeps them as paths that are
 * not checked out. Untracked ones are removed too. `leftOut`: what to remove for a path, null for nothing.
 */
export function leaveOut(repo: Repo, path: string, leftOut: (tracked: string) => string | null): void {
  const place = withoutFilters(repo, path)
  const list = (...flags: string[]) =>
    runOwnGit(place, ['ls-files', '-z', ...flags])
      .toString()
      .split('\0')
      .filter((name) => name !== '' && leftOut(name) !== null)
  const tracked = list()
  const removed = new Set([...tracked, ...list('--others')].map(leftOut))
  if (tracked.length > 0)
    runOwnGit(place, ['update-index', '-z', '--skip-worktree', '--stdin'], `${tracked.join('\0')}\0`)
  for (const name of removed) if (name !== null) clearPath(path, name)
}

/** Removes it with everything in it. Only for paths that makeThrowAway made. */
export function dropThrowAway(repo: Repo, path: string): void {
  tryOwnGit(repo, ['worktree', 'remove', '--force', '--force', path])
  removeFolder(path)
  // Git refuses to remove one that a killed git had only begun to add or to remove, and would list it for ever.
  const left = adminFolder(repo, path)
  if (left !== null) removeFolder(left)
}
