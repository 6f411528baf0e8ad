import { join, sep } from 'node:path'
import { UserError } from '../../core/user-error.ts'
import { realPath } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { placeAt, tryOwnGit } from '../../platform/git/own-git.ts'
import { workplaceRoot } from '../../platform/git/workplace-root.ts'

/** Worktrees inside of a checkout would be untracked files there, which a person could commit. Null: they are not. */
export function whyRootVisible(repo: Repo, env: Env): UserError | null {
  const root = workplaceRoot(repo, env)
  const top = repo.workTree === null ? null : realPath(repo.workTree)
  if (top === null || !root.startsWith(top + sep) || root.startsWith(join(top, '.git') + sep)) return null
  // Git refuses literal pathspecs here.
  const { GIT_LITERAL_PATHSPECS: _literal, ...plain } = placeAt(repo, top).env
  if (tryOwnGit({ dir: top, env: plain }, ['check-ignore', '--quiet', '--', join(root, 'x')]).code !== 1) return null
  return new UserError('ROOT_NOT_IGNORED', `worktree.root is inside this checkout, and git does not ignore ${root}`, {
    hint: 'Add the folder to .gitignore, or choose one outside of the repository.',
  })
}
