import { join } from 'node:path'
import { readTextIfThere } from '../files/files.ts'
import type { Repo } from './find-repo.ts'
import { type Env, type GitPlace, tryGit } from './git.ts'
import { placeAt, runOwnGit } from './own-git.ts'

/** What git ignores in the checkout at `top`. A folder that is ignored as a whole is one entry and ends with a slash. */
export function listIgnored(repo: Pick<Repo, 'env' | 'commonDir'>, top: string): string[] {
  const flags = ['--others', '--ignored', '--exclude-standard', '--directory', '-z']
  return runOwnGit(placeAt(repo, top), ['ls-files', ...flags])
    .toString()
    .split('\0')
    .filter(Boolean)
}

/** What is neither tracked nor ignored there. A folder in which nothing is tracked is one entry. */
export function listUntracked(place: GitPlace): string[] {
  const text = runOwnGit(place, [
    'ls-files',
    '--others',
    '--exclude-standard',
    '--directory',
    '--no-empty-directory',
    '-z',
  ])
  return text
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((path) => path.replace(/\/$/, ''))
}

/** The patterns that the person ignores in every repository. A file that replaces theirs has to repeat them. */
export function personalExcludes({ dir, env }: { dir: string; env: Env }): string {
  const set = tryGit({ dir, env }, ['config', '--type=path', '--get', 'core.excludesFile']).stdout.toString()
  const base = env.XDG_CONFIG_HOME || join(env.HOME ?? '', '.config')
  try {
    return readTextIfThere(set.replace(/\n$/, '') || join(base, 'git', 'ignore')) ?? ''
  } catch {
    // Git warns and continues without it.
    return ''
  }
}
