import { chmodSync, lstatSync, mkdirSync } from 'node:fs'

/** Makes a folder, with those above it, that only this user can enter. False: it is somebody else's, or no folder. */
export function makePrivateFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const found = lstatSync(path)
    if (!found.isDirectory() || found.uid !== userId()) return false
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700)
    return true
  } catch {
    return false
  }
}

/** Whether nobody but its owner can read the file. */
export function isPrivateFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && (found.mode & 0o077) === 0
}

/** Makes a folder that must not exist yet, for this user alone. */
export function makeNewPrivateFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 })
}

/** The number of the user with whose rights this process acts; null on systems without such numbers. */
export function userId(): number | null {
  return process.geteuid?.() ?? null
}

/** For short-lived files of everybody. Its name is short, unlike that of a home folder may be. */
export const TEMPORARY_ROOT = '/tmp'
