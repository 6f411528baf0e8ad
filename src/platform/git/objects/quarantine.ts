/**
 * A place for new objects that are not checked yet: git writes them there, and they reach the repository only if they are
 * right. Named like those of git itself, so that `git gc` removes one that a crash has left.
 */
import { existsSync, mkdtempSync, readdirSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repo } from '../find-repo.ts'
import type { Env } from '../git.ts'

export interface Quarantine {
  /** For a git that writes and reads there, and reads the repository's own objects. */
  env: Env
  /** Moves the objects into the repository. */
  accept(): void
  remove(): Promise<void>
}

/** Null: somebody has put the objects elsewhere. */
export function openQuarantine({ commonDir, env }: Repo): Quarantine | null {
  if (env.GIT_OBJECT_DIRECTORY || env.GIT_ALTERNATE_OBJECT_DIRECTORIES) return null
  const objects = join(commonDir, 'objects')
  const folder = mkdtempSync(join(objects, 'tmp_objdir-gza-'))
  return {
    env: { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) },
    accept: () => {
      for (const name of readdirSync(folder)) moveInto(join(folder, name), join(objects, name))
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Several paths are separated by colons, and one in quotes may contain them. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}

/** A whole folder with git's own rights, if it is the first of its name. An object that is there already stays. */
function moveInto(from: string, to: string): void {
  if (!existsSync(to)) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      // Another git has made it meanwhile.
      if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  for (const name of readdirSync(from)) if (!existsSync(join(to, name))) renameSync(join(from, name), join(to, name))
}
