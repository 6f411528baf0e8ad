/**
 * gza's own folders, `.gza` in a working tree and `gza` in a git folder, can be written by agents too, and so can git's
 * folder of a worktree. Nothing is written through a link that was put there: it could lead to any file of the user.
 */
import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { linkError } from './link-error.ts'

/** Calls `write` with a path for the same file whose folders cannot be replaced meanwhile. The folders are made. */
export function inPlace<T>(path: string, write: (path: string) => T): T {
  const folder = dirname(path)
  const root = ownRoot(path)
  if (root === null) {
    mkdirSync(folder, { recursive: true })
    return write(path)
  }
  const names = folder.slice(root.length + 1).split('/')
  if (process.platform !== 'linux') {
    makeFolders(root, names)
    return write(path)
  }
  const descriptor = openFolder(root, names)
  try {
    return naming(path, () => write(join(`/proc/self/fd/${descriptor}`, basename(path))))
  } finally {
    closeSync(descriptor)
  }
}

/** Throws if the file, or one of gza's own folders above it, is a link. */
export function refuseLinks(path: string): void {
  const root = ownRoot(path)
  if (root === null) return
  const names = path.slice(root.length + 1).split('/')
  for (let depth = 1; depth <= names.length; depth++) {
    const place = join(root, ...names.slice(0, depth))
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkError(place)
  }
}

/** For opening a file: a link of its name is an error. */
export const NO_LINK = constants.O_NOFOLLOW ?? 0

/** The error of an open with NO_LINK, in words. */
export function explainLink<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP' ? linkError(path) : error
  }
}

export function isOwnPath(path: string): boolean {
  return ownRoot(path) !== null
}

/** The folder that contains the outermost of gza's own folders on the path; null: there is none. */
function ownRoot(path: string): string | null {
  const inTree = path.lastIndexOf('/.gza/')
  if (inTree >= 0) return path.slice(0, inTree)
  const inGit = Math.max(path.lastIndexOf('/gza/'), path.search(/\/worktrees\/[^/]+\/[^/]+$/))
  // A user's state folder has such names too, and belongs to the user alone.
  return inGit >= 0 && existsSync(join(path.slice(0, inGit), 'HEAD')) ? path.slice(0, inGit) : null
}

function makeFolders(root: string, names: readonly string[]): void {
  for (let depth = 1; depth <= names.length; depth++) {
    const place = join(root, ...names.slice(0, depth))
    refuseLinks(place)
    mkdirSync(place, { recursive: true })
  }
}

/** Opens folder by folder, each below the one that is already open. */
function openFolder(root: string, names: readonly string[]): number {
  let descriptor = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY)
  for (const [at, name] of names.entries()) {
    const above = descriptor
    try {
      const shown = join(root, ...names.slice(0, at + 1))
      descriptor = naming(shown, () => openBelow(`/proc/self/fd/${above}/${name}`, shown))
    } finally {
      closeSync(above)
    }
  }
  return descriptor
}

/** An error of the machine names the path that a person knows. */
function naming<T>(shown: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).path?.startsWith('/proc/self/fd/')
      ? Object.assign(error as Error, { path: shown })
      : error
  }
}

function openBelow(path: string, shown: string): number {
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (lstatSync(path).isSymbolicLink()) throw linkError(shown)
  return explainLink(shown, () => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | NO_LINK))
}
