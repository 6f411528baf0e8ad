import { isUtf8 } from 'node:buffer'
import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { UserError } from '../../core/user-error.ts'

export function readTextIfThere(path: string): string | null {
  try {
    // A repository may hold a link to /dev/zero or to a pipe: reading those would never end.
    if (!statSync(path).isFile()) throw notAFile(path)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** Of any other, reading and writing it back would lose bytes. */
export function isUtf8File(path: string): boolean {
  return isUtf8(readFileSync(path))
}

function notAFile(path: string): UserError {
  return new UserError('NOT_A_FILE', `${path} is no file`, { hint: 'Put a text file in its place, or nothing.' })
}

/** Where a file is, or would be, once links are followed; null where a link leads nowhere. */
export function followLinks(path: string): string | null {
  if (existsSync(path)) return realpathSync(path)
  const above = statSync(dirname(path), { throwIfNoEntry: false })
  if (above !== undefined && !above.isDirectory())
    throw new UserError('NOT_A_FOLDER', `${dirname(path)} is no folder`, {
      hint: 'Put a folder in its place, or nothing.',
    })
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return null
  const folder = followLinks(dirname(path))
  return folder === null ? null : join(folder, basename(path))
}

export function fileExists(path: string): boolean {
  return existsSync(path)
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export function ensureFolder(path: string): void {
  mkdirSync(path, { recursive: true })
}

export function writeText(path: string, text: string): void {
  ensureFolder(dirname(path))
  writeFileSync(path, text)
}

export function appendText(path: string, text: string): void {
  ensureFolder(dirname(path))
  appendFileSync(path, text)
}

/** Puts bytes over as many others, if those are still there; nothing else of the file is touched. */
export function replaceBytes(path: string, at: { offset: number; from: Uint8Array; to: Uint8Array }): boolean {
  const descriptor = openSync(path, 'r+')
  try {
    const there = new Uint8Array(at.from.length)
    readSync(descriptor, there, 0, there.length, at.offset)
    if (Buffer.compare(there, at.from) !== 0) return false
    writeSync(descriptor, at.to, 0, at.to.length, at.offset)
    return true
  } finally {
    closeSync(descriptor)
  }
}

/** Tells a file from another that has taken its name; null where there is none. */
export function fileIdentity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/** Renames the file out of the way, over an earlier one of that name. */
export function moveAside(path: string, to: string): void {
  if (existsSync(path)) renameSync(path, to)
}

export function removeFile(path: string): void {
  rmSync(path, { force: true })
}

/** Whatever is in it keeps it there. */
export function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    if (
      !['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EACCES', 'EPERM', 'EBUSY'].includes((error as { code?: string }).code ?? '')
    )
      throw error
  }
}

/** Makes room for a new file below a folder: what has its name goes, and a link in place of a folder on the way to it. */
export function clearWay(folder: string, path: string): void {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const place = join(folder, ...parts.slice(0, depth))
    const entry = lstatSync(place, { throwIfNoEntry: false })
    if (entry?.isDirectory() && depth < parts.length) continue
    rmSync(place, { recursive: true, force: true })
    return
  }
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** The files in a folder, not in those below it; none where there is no folder. */
export function listFiles(folder: string): string[] {
  return listEntries(folder, (entry) => entry.isFile())
}

/** The folders in a folder, not those below them. */
export function listFolders(folder: string): string[] {
  return listEntries(folder, (entry) => entry.isDirectory())
}

function listEntries(folder: string, isWanted: (entry: Dirent) => boolean): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries
      .filter(isWanted)
      .map((entry) => join(folder, entry.name))
      .sort()
  } catch {
    return []
  }
}

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The first executable of that name on PATH. */
export function findProgram(name: string, path: string): string | null {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, name)
    try {
      accessSync(program, constants.X_OK)
      return program
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/** Makes a file look older than it is. */
export function backdate(path: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds
  utimesSync(path, then, then)
}
