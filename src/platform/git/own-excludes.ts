/**
 * Files that one worktree hides from git besides those that .gitignore names. Git has no such file for a worktree:
 * info/exclude belongs to all of them. So the file is in git's folder of the worktree, and a variable names it to every
 * git that gza or an agent starts there.
 */
import { join, resolve } from 'node:path'
import { quickStat } from '../files/quick-stat.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import type { Env } from './git.ts'

const NAME = 'gza-exclude'

/** `folder`: git's own folder for the worktree. */
export function excludesIn(folder: string): string {
  return join(folder, NAME)
}

/** The variables by which git finds the worktree's own excludes, besides those of `env`; none if it has no excludes. */
export function hidingOwn(env: Env, path: string): Env {
  const link = /^gitdir: (.*)$/m.exec(readSmallFile(join(path, '.git')) ?? '')?.[1]
  if (link === undefined) return {}
  const file = excludesIn(resolve(path, link))
  if (quickStat(file) === null) return {}
  const count = Number(env.GIT_CONFIG_COUNT ?? 0)
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'core.excludesFile',
    [`GIT_CONFIG_VALUE_${count}`]: file,
  }
}
