import { removeFolder } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGit, tryGit } from '../../platform/git/git.ts'
import { own } from './place.ts'

/** A checkout of one commit that nothing is kept of: for tasks whose result is a text. */
export function makeThrowAway(repo: Repo, path: string, commit: string): void {
  dropThrowAway(repo, path)
  // Twice forced: a path that git still knows though its folder is gone is taken, and no other entry is touched.
  runGit(repo, own('worktree', 'add', '--quiet', '--force', '--force', '--detach', path, commit))
}

/** Removes it with whatever was done in it. Only for paths that makeThrowAway made. */
export function dropThrowAway(repo: Repo, path: string): void {
  tryGit(repo, ['worktree', 'remove', '--force', path])
  removeFolder(path)
}
