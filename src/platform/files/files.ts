import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { decodeUtf8 } from '../../core/text/decode-utf8.ts'
import { UserError } from '../../core/user-error.ts'
import { explainLink, inPlace, isOwnPath, NO_LINK } from './own-folders.ts'

export function readTextIfThere(path: string): string | null {
  try {
    // A repository may contain a link to /dev/zero or to a pipe: reading those would never end.
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return null
    if (!stat.isFile()) throw notAFile(path)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** The bytes of a plain file; null if there is none. A link is not followed. */
export function readBytesIfThere(path: string): Buffer | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() ? readFileSync(path) : null
}

/** When the file was last written or replaced, in milliseconds since 1970; no program can set this time. */
export function changedAt(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? null
}

/** Reading and writing back any other file would lose bytes. */
export function isUtf8File(path: string): boolean {
  return decodeUtf8(readFileSync(path)) !== null
}

function notAFile(path: string): UserError {
  return new UserError('NOT_A_FILE', `${path} is not a file`, { hint: 'Replace it with a text file, or remove it.' })
}

/** The path of a file, existing or not, after following links; null if a link leads nowhere. */
export function followLinks(path: string): string | null {
  if (existsSync(path)) return realpathSync(path)
  const above = statSync(dirname(path), { throwIfNoEntry: false })
  if (above !== undefined && !above.isDirectory())
    throw new UserError('NOT_A_FOLDER', `${dirname(path)} is not a folder`, {
      hint: 'Replace it with a folder, or remove it.',
    })
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return null
  const folder = followLinks(dirname(path))
  return folder === null ? null : join(folder, basename(path))
}

export function fileExists(path: string): boolean {
  return existsSync(path)
}

/** The text of each of these files of a folder, in their order; null where there is none. */
export function readTextsIn(folder: string, names: readonly string[]): (string | null)[] {
  return names.map((name) => readTextIfThere(join(folder, name)))
}

/** The first of these names that the folder has, or null. */
export function firstIn(folder: string, names: readonly string[]): string | null {
  return names.find((name) => existsSync(join(folder, name))) ?? null
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export function ensureFolder(path: string): void {
  mkdirSync(path, { recursive: true })
}

export function writeText(path: string, text: string): void {
  const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
  writeOwn(path, text, flag)
}

function writeOwn(path: string, text: string, flag: number): void {
  openOwn(path, flag, (descriptor) => writeFileSync(descriptor, text))
}

/** A link in gza's own folders is not followed. Elsewhere a person may have put one on purpose. */
function openOwn(path: string, flag: number, use: (descriptor: number) => void): void {
  const noLink = isOwnPath(path) ? NO_LINK : 0
  inPlace(path, (place) => {
    const descriptor = explainLink(path, () => openSync(place, flag | noLink, 0o666))
    try {
      use(descriptor)
    } finally {
      closeSync(descriptor)
    }
  })
}

/** Writes a file that must not exist yet. False: something has its name. */
export function writeNewText(path: string, text: string): boolean {
  try {
    inPlace(path, (place) => writeFileSync(place, text, { flag: 'wx' }))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

export function appendText(path: string, text: string): void {
  writeOwn(path, text, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND)
}

/** Replaces bytes with as many others, if the expected ones are still there; nothing else in the file is touched. */
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

/** Not with `rmSync`: if a part of the path is not a folder, Bun's throws EFAULT. Then there is no such file either. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')) throw error
  }
}

/** A folder that is not empty stays. */
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

/**
 * Makes room for a new file below a folder: removes what has its name, and a link that replaces a folder on its path.
 */
export function clearPath(folder: string, path: string): void {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const place = join(folder, ...parts.slice(0, depth))
    const entry = lstatSync(place, { throwIfNoEntry: false })
    if (entry?.isDirectory() && depth < parts.length) continue
    rmSync(place, { recursive: true, force: true })
    return
  }
}

export function moveFolder(from: string, to: string): void {
  renameSync(from, to)
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** The files in a folder, not in its subfolders; none if the folder does not exist. */
export function listFiles(folder: string): string[] {
  return listEntries(folder, (entry) => entry.isFile())
}

/** The folders in a folder, without their subfolders. */
export function listFolders(folder: string): string[] {
  return listEntries(folder, (entry) => entry.isDirectory())
}

/** Everything in a folder, links included, without what is in its subfolders. */
export function listPaths(folder: string): string[] {
  return listEntries(folder, () => true)
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

/** Whether this user can rename and remove what is in the folder, also after making it writable. */
export function mayChangeIn(folder: string): boolean {
  return isWritable(folder) || statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

/** The first executable of that name on PATH. */
export function findProgram(name: string, path: string): string | null {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, name)
    try {
      accessSync(program, constants.X_OK)
      return program
    } catch {}
  }
  return null
}

/** Writes a file that looks older than it is. */
export function writeBackdated(path: string, text: string, seconds: number): void {
  writeText(path, text)
  const then = Date.now() / 1000 - seconds
  inPlace(path, (place) => lutimesSync(place, then, then))
}

/**
 * Adds to a file, which keeps the time of its last change and is whole at any moment. Nothing happens if it is gone, and
 * it does not come back: another process may remove it at any moment.
 */
export function appendIfThere(path: string, text: string): void {
  try {
    openOwn(path, constants.O_WRONLY | constants.O_APPEND, (descriptor) => {
      const { mtime } = fstatSync(descriptor)
      writeFileSync(descriptor, text)
      futimesSync(descriptor, mtime, mtime)
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** A new empty folder that the caller removes. Its real path, because git names folders by that. */
export function makeTemporaryFolder(name: string): string {
  return realpathSync(mkdtempSync(join(process.getBuiltinModule('node:os').tmpdir(), `${name}-`)))
}

/** What a path leads to after following links; null if there is nothing. */
export function findPath(path: string): { path: string; isFolder: boolean } | null {
  try {
    const real = realpathSync(path)
    return { path: real, isFolder: statSync(real).isDirectory() }
  } catch {
    return null
  }
}
