import { basename, dirname, isAbsolute } from 'node:path'
import { fileExists, findProgram, isFolder, listPaths } from '../../../platform/files/files.ts'
import { realPath } from '../../../platform/files/inspect-file.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { isInside } from '../box/plan-mounts.ts'

/**
 * The files that a command names and that its box would hide: those in the person's checkout and in /tmp. A program that
 * npm has installed there comes with its packages. `words` are the person's own: no text of an agent is among them.
 */
export function programFiles(repo: Repo, env: Env, words: readonly string[]): string[] {
  const [program = '', ...others] = words
  const first = program.includes('/') ? program : (findProgram(program, env.PATH ?? '') ?? '')
  const isShown = (path: string): boolean => isFile(path) && isOpen(repo, path) && isOpen(repo, realPath(path))
  return [first, ...others].filter((path) => isAbsolute(path) && isShown(path)).map(withPackages)
}

function isFile(path: string): boolean {
  return fileExists(path) && !isFolder(path)
}

/** Never what is in the git folder. */
function isOpen({ workTree, commonDir }: Repo, path: string): boolean {
  if (isInside(path, realPath(commonDir)) || isInside(path, commonDir)) return false
  return isInside(path, '/tmp') || (workTree !== null && isInside(path, workTree))
}

function withPackages(path: string): string {
  return /^.*?\/node_modules(?=\/)/.exec(path)?.[0] ?? path
}

/**
 * gza itself. A link beside it, its other name, can only be held with the folder, which must not have anything else: a
 * person's own folder of programs stays as it is.
 */
export function gzaFiles(binary: string): string {
  const folder = dirname(binary)
  return listPaths(folder).every((path) => OF_GZA.has(basename(path))) ? folder : binary
}

/** What a build makes. */
const OF_GZA: ReadonlySet<string> = new Set(['gza', 'git-tasks', 'man', '.built'])
