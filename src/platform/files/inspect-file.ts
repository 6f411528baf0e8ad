import { type BigIntStats, lstatSync, readFileSync, realpathSync, rmdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface FileFacts {
  kind: 'file' | 'link' | 'folder' | 'other'
  size: number
  mode: number
  /** The last change and the identity: differs whenever the file may differ. */
  stamp: string
}

/** The file at a path itself, without following links; null if there is none. */
export function inspectFile(path: string): FileFacts | null {
  const stat = statIfThere(path)
  if (stat === null) return null
  const kind = stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'folder' : 'other'
  const stamp = [stat.ino, stat.size, stat.mtimeNs, stat.mode].join(' ')
  return { kind, size: Number(stat.size), mode: Number(stat.mode), stamp }
}

/** The stamps of those of the files that are there, by path. */
export function stampsOf(paths: readonly string[]): Map<string, string> {
  return new Map(
    paths.flatMap((path): [string, string][] => {
      const facts = inspectFile(path)
      return facts === null ? [] : [[path, facts.stamp]]
    }),
  )
}

function statIfThere(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true })
  } catch (error) {
    // A folder in the path may be a file by now.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** The bytes one to one as characters, so that any file can be searched; null if it cannot be read. */
export function readRaw(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

/** The path as git records it: links resolved as far as the path exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path))
  }
}

/** Whether the folder no longer exists afterwards: a folder that is not empty stays. */
export function removeEmptyFolder(path: string): boolean {
  try {
    rmdirSync(path)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
  return true
}
