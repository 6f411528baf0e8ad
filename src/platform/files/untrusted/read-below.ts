/**
 * Reads in a folder that an agent can write. No link on the way is followed, so that nothing outside of the folder is
 * read, and nothing is larger than the caller expects.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { NO_LINK } from '../own-folders.ts'

export type Found =
  | { kind: 'file'; text: string }
  | { kind: 'folder'; names: string[] }
  | { kind: 'link'; target: string }
  | { kind: 'none' }
  /** A device, a pipe, a file that is too large, or one below a link. */
  | { kind: 'odd' }

/** What has this name below the folder. `limit`: of a file's bytes, and of a folder's entries. */
export function readBelow(root: string, names: readonly string[], limit: number): Found {
  try {
    return openedBelow(root, names, (descriptor) => readOpen(descriptor, join(root, ...names), limit))
  } catch (error) {
    return explain(error as NodeJS.ErrnoException, join(root, ...names))
  }
}

/** The first bytes of a file below the folder; null if there is no such file. */
export function readStartBelow(root: string, names: readonly string[], length: number): Buffer | null {
  try {
    return openedBelow(root, names, (descriptor) => {
      const bytes = Buffer.alloc(length)
      return fstatSync(descriptor).isFile() && readSync(descriptor, bytes, 0, length, 0) === length ? bytes : null
    })
  } catch {
    return null
  }
}

/** All bytes of a file below the folder; null if there is no such file, or if it is larger. */
export function readBytesBelow(root: string, names: readonly string[], limit: number): Buffer | null {
  try {
    return openedBelow(root, names, (descriptor) => {
      const stat = fstatSync(descriptor)
      return stat.isFile() && stat.size <= limit ? readWhole(descriptor, stat.size) : null
    })
  } catch {
    return null
  }
}

/** Calls `use` with the opened file or folder. Throws ELOOP or ENOTDIR if a link is on the way. */
export function openedBelow<T>(root: string, names: readonly string[], use: (descriptor: number) => T): T {
  // A pipe that nobody writes to would block.
  let descriptor = openSync(root, READ | constants.O_DIRECTORY)
  try {
    for (const [at, name] of names.entries()) {
      if (name === '' || name === '.' || name === '..' || name.includes('/')) throw new Error(`not a name: ${name}`)
      const isLast = at === names.length - 1
      const above = descriptor
      descriptor = openSync(placeBelow(above, root, names, at), READ | (isLast ? 0 : constants.O_DIRECTORY))
      closeSync(above)
    }
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const READ = constants.O_RDONLY | constants.O_NONBLOCK | NO_LINK

/** Below the folder that is already open. Where there is no /proc, a folder could be replaced in between. */
function placeBelow(above: number, root: string, names: readonly string[], at: number): string {
  if (process.platform === 'linux') return `/proc/self/fd/${above}/${names[at]}`
  return join(root, ...names.slice(0, at + 1))
}

function readOpen(descriptor: number, path: string, limit: number): Found {
  const stat = fstatSync(descriptor)
  if (stat.isDirectory()) {
    const names = readdirSync(process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : path)
    return names.length > limit ? { kind: 'odd' } : { kind: 'folder', names: names.sort() }
  }
  if (!stat.isFile() || stat.size > limit) return { kind: 'odd' }
  return { kind: 'file', text: readWhole(descriptor, stat.size).toString() }
}

function readWhole(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let length = 0
  for (let read = 1; read > 0 && length < bytes.length; length += read)
    read = readSync(descriptor, bytes, length, bytes.length - length, length)
  return bytes.subarray(0, length)
}

function explain({ code, message }: NodeJS.ErrnoException, path: string): Found {
  if (code === 'ENOENT') return { kind: 'none' }
  // With O_NOFOLLOW, a link is ELOOP; as a folder on the way it is ENOTDIR.
  if (code === 'ELOOP') return linkAt(path)
  if (code === undefined) throw new Error(message)
  return { kind: 'odd' }
}

function linkAt(path: string): Found {
  try {
    return { kind: 'link', target: readlinkSync(path) }
  } catch {
    return { kind: 'odd' }
  }
}
