/**
 * Git's own folder for a worktree, `.git/worktrees/NAME`, as the repository names it. The `.git` of the worktree names it
 * too, but an agent can write that file.
 *
 * It also has the list of files that only this worktree hides from git, besides those that .gitignore names. Git has no
 * such file for a worktree: info/exclude belongs to all of them. A variable names it to every git that gza or an agent
 * starts there.
 */
import { basename, join, resolve } from 'node:path'
import { quickStat } from '../files/quick-stat.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import type { Repo } from './find-repo.ts'
import type { Env } from './git.ts'

/** Null for the repository's own checkout. Git names it after the path, with a number if the name is taken. */
export function adminFolder({ commonDir }: Pick<Repo, 'commonDir'>, path: string): string | null {
  const [link, all] = [join(path, '.git'), join(commonDir, 'worktrees')]
  if (link === commonDir || quickStat(all) === null) return null
  for (let number = 0; number < 100; number++) {
    const folder = join(all, `${basename(path)}${number || ''}`)
    const target = readSmallFile(join(folder, 'gitdir'))?.trimEnd()
    if (target && resolve(folder, target) === link) return folder
  }
  return null
}

const EXCLUDES = 'gza-exclude'

/** `folder`: git's own folder for the worktree. */
export function excludesIn(folder: string): string {
  return join(folder, EXCLUDES)
}

/** The variables by which git finds the worktree's own excludes, besides those of `env`; none if it has no excludes. */
export function hidingOwn(env: Env, path: string): Env {
  const link = /^gitdir: (.*)$/m.exec(readSmallFile(join(path, '.git')) ?? '')?.[1]
  return link === undefined ? {} : hidingIn(env, resolve(path, link))
}

/** The same for git's own folder. */
export function hidingIn(env: Env, folder: string): Env {
  const file = excludesIn(folder)
  if (quickStat(file) === null) return {}
  const count = Number(env.GIT_CONFIG_COUNT ?? 0)
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'core.excludesFile',
    [`GIT_CONFIG_VALUE_${count}`]: file,
  }
}
