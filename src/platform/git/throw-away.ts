import { fileExists, removeFolder } from '../files/files.ts'
import type { Repo } from './find-repo.ts'
import { runOwnGit, tryOwnGit } from './own-git.ts'

/** A temporary checkout of one commit, for tasks whose result is a text. Nothing in it is kept. */
export function makeThrowAway(repo: Repo, path: string, commit: string): void {
  if (fileExists(path)) dropThrowAway(repo, path)
  // `--force` twice, so that git reuses a path that it still lists but whose folder is missing. No other entry changes.
  runOwnGit(repo, ['worktree', 'add', '--quiet', '--force', '--force', '--detach', path, commit])
}

/** Removes it with everything in it. Only for paths that makeThrowAway made. */
export function dropThrowAway(repo: Repo, path: string): void {
  tryOwnGit(repo, ['worktree', 'remove', '--force', path])
  removeFolder(path)
}
