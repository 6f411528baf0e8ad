/** Git's objects that are files of their own, read in a git folder that an agent can write. No git does it. */
import { inflateSync } from 'node:zlib'
import { readBelow, readBytesBelow, readStartBelow } from '../../files/untrusted/read-below.ts'
import { type GitObject, objectId, objectOf } from './object-format.ts'

/** The ids of all of them; null: there are more than `most`, or there are packs beside them. */
export function listLoose(git: string, most: number): Set<string> | null {
  const names = namesIn(git, ['objects'])
  if (names === null || namesIn(git, ['objects', 'pack'])?.length !== 0) return null
  const folders = names.filter((name) => /^[0-9a-f]{2}$/.test(name))
  if (folders.length > most) return null
  const found = new Set<string>()
  for (const first of folders) {
    for (const rest of namesIn(git, ['objects', first]) ?? []) found.add(first + rest)
    if (found.size > most) return null
  }
  return found
}

function namesIn(git: string, names: readonly string[]): string[] | null {
  const found = readBelow(git, names, MOST_NAMES)
  return found.kind === 'folder' ? found.names : null
}

const MOST_NAMES = 1000

export function hasLoose(git: string, oid: string): boolean {
  return readStartBelow(git, ['objects', oid.slice(0, 2), oid.slice(2)], 1) !== null
}

/** `limit`: of its bytes. Null: it is larger, or not what its name says. */
export function readLoose(git: string, oid: string, limit: number): GitObject | null {
  const bytes = readBytesBelow(git, ['objects', oid.slice(0, 2), oid.slice(2)], limit)
  const whole = bytes === null ? null : inflate(bytes, limit)
  if (whole === null || objectId(whole, oid.length) !== oid) return null
  return objectOf(whole)
}

function inflate(bytes: Buffer, limit: number): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, limit) })
  } catch {
    return null
  }
}
