import { join } from 'node:path'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { gitError, tryGit } from '../../../platform/git/git.ts'
import { listSettings } from '../../../platform/git/settings/list-settings.ts'
import type { Entry } from '../../../platform/git/settings/neutral-settings.ts'

/**
 * The settings of the repository itself and of one worktree (`gitDir`), with those of included files, in git's order.
 * Those of the person apply in the box by themselves.
 */
export function readLocalSettings(repo: Repo, gitDir: string): Entry[] {
  const listed = listSettings(repo)
  if (listed === null) throw gitError(['config', '--list'], tryGit(repo, ['config', '--list']))
  const own = join(gitDir, 'config.worktree')
  return listed.filter(({ scope, origin }) => scope === 'local' || (scope === 'worktree' && origin === own))
}

/** Where git-lfs has its objects. */
export function lfsFolder(repo: Repo): string {
  const set = listSettings(repo)?.findLast(({ key }) => key === 'lfs.storage')?.value
  if (!set) return join(repo.commonDir, 'lfs')
  return set.startsWith('/') ? set : join(repo.commonDir, set)
}
