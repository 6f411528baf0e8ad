import { createHash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openedBelow } from './read-below.ts'

/**
 * Copies a file out of a folder that an agent can write, if its content has the given SHA-256. What is copied is what
 * was checked: the bytes are read once. False: it has other content, or it is not a plain file.
 */
export function copyVerified(from: { root: string; names: readonly string[] }, to: string, sha256: string): boolean {
  if (existsSync(to)) return true
  const part = join(dirname(to), `${sha256}.${crypto.randomUUID()}.gza-part`)
  try {
    const found = openedBelow(from.root, from.names, (source) => copyInto(source, part))
    if (found !== sha256) return false
    renameSync(part, to)
    return true
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  } finally {
    rmSync(part, { force: true })
  }
}

/** Returns the SHA-256 of what was copied; null if it is not a plain file. */
function copyInto(source: number, path: string): string | null {
  if (!fstatSync(source).isFile()) return null
  mkdirSync(dirname(path), { recursive: true })
  const hash = createHash('sha256')
  const piece = Buffer.alloc(PIECE)
  const target = openSync(path, 'wx', 0o444)
  try {
    for (let at = 0; ; ) {
      const read = readSync(source, piece, 0, piece.length, at)
      if (read === 0) return hash.digest('hex')
      hash.update(piece.subarray(0, read))
      for (let written = 0; written < read; ) written += writeSync(target, piece, written, read - written)
      at += read
    }
  } finally {
    closeSync(target)
  }
}

const PIECE = 1024 * 1024
