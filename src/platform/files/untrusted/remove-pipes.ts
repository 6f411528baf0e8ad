import { closeSync, constants, type Dirent, openSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes the named pipes that have the name of a file which git reads in every folder of a tree: git, and gza with it,
 * would wait for somebody to write to them. No commit can contain one. No link is followed. Folders are read without
 * blocking others.
 */
export function removePipes(top: string): Promise<void> {
  return removeBelow(top, (name) => READ_BY_GIT.has(name))
}

/** The same in a git folder, where git reads nearly everything. Nobody may write there meanwhile. */
export function removeGitPipes(gitDir: string): Promise<void> {
  return removeBelow(gitDir, () => true)
}

const READ_BY_GIT = new Set(['.gitattributes', '.gitignore', '.gitmodules', '.lfsconfig', '.mailmap'])

async function removeBelow(top: string, isRead: (name: string) => boolean): Promise<void> {
  for (let open = [top]; open.length > 0; ) {
    const found = await Promise.all(open.splice(0, AT_ONCE).map((folder) => lookInto(folder, isRead)))
    open = [...open, ...found.flat()]
  }
}

const AT_ONCE = 64

/** Returns the folders in it. */
async function lookInto(folder: string, isRead: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
  for (const entry of entries) if (entry.isFIFO() && isRead(entry.name)) release(join(folder, entry.name))
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name))
}

/** A waiting reader gets nothing, and continues: a pipe open for both does not block, and ends when it is closed. */
function release(path: string): void {
  try {
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    rmSync(path, { force: true })
    closeSync(descriptor)
  } catch {
    // Its folder cannot be written, or it is gone.
  }
}
