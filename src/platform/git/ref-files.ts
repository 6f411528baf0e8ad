import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from './find-repo.ts'
import { listRefs, listRefValues } from './refs.ts'

/** A ref's object id, or `ref:` and the name of the target ref. */
export type RefValues = Map<string, string>

/**
 * Every ref in the folders (`refs/heads/`), and those with full names (`refs/stash`), read from git's files without a
 * process; null if they are not plain files or one of them is unusual, and git must be asked. A value may name a
 * missing object.
 *
 * First the single files, then packed-refs: git writes the second before it removes one of the first, so a ref that is
 * packed meanwhile is not missed.
 */
export function readRefFiles(repo: Repo, places: readonly string[]): RefValues | null {
  if (!repo.hasFileRefs) return null
  try {
    const loose = places.flatMap((place) => readLoose(repo.commonDir, place))
    const packed = readPacked(repo.commonDir, places)
    const all = new Map([...packed, ...loose])
    return [...all].every(isPlain) ? new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1))) : null
  } catch {
    return null
  }
}

/** The same for any repository: git is asked where the files do not answer. */
export function readRefValues(repo: Repo, places: readonly string[]): RefValues {
  return readRefFiles(repo, places) ?? listRefValues(repo, ...places)
}

/** Every ref of these places, with its commit: from the files if that is safe, otherwise from git. */
export function readRefsIn(repo: Repo, places: readonly string[]): Map<string, string> {
  const found = readRefFiles(repo, places)
  // Only git resolves symbolic refs reliably.
  const isDirect = found?.values().every((value) => !value.startsWith('ref:'))
  return found !== null && isDirect ? found : listRefs(repo, ...places)
}

/** The branches and their commits, by name. */
export function listBranches(repo: Repo): Map<string, string> {
  const heads = 'refs/heads/'
  return new Map([...readRefsIn(repo, [heads])].map(([ref, oid]) => [ref.slice(heads.length), oid]))
}

type Found = [ref: string, value: string]

function readLoose(commonDir: string, place: string): Found[] {
  if (place.endsWith('/')) {
    const entries = entriesIn(join(commonDir, place))
    return entries.flatMap((entry) => readLoose(commonDir, `${place}${entry.name}${entry.isDirectory() ? '/' : ''}`))
  }
  const text = place.endsWith('.lock') ? null : readIfThere(join(commonDir, place))
  return text === null ? [] : [[place, text.trim().replace(/^ref:\s*/, 'ref:')]]
}

function readPacked(commonDir: string, places: readonly string[]): Found[] {
  const isIn = (name: string) => places.some((place) => (place.endsWith('/') ? name.startsWith(place) : name === place))
  const lines = (readIfThere(join(commonDir, 'packed-refs')) ?? '').split('\n')
  return lines.flatMap((line): Found[] => {
    const space = line.indexOf(' ')
    const name = line.slice(space + 1)
    return /^[0-9a-f]/.test(line) && isIn(name) ? [[name, line.slice(0, space)]] : []
  })
}

const VALUE = /^([0-9a-f]{40}|[0-9a-f]{64}|ref:refs\/\S+)$/

/** Git does not accept such a name, or it could not be read as text. */
const ODD_NAME = /[\s\p{Cc}~^:?*[\\\uFFFD]|\/\.|\.\./u

function isPlain([ref, value]: Found): boolean {
  return VALUE.test(value) && !ODD_NAME.test(ref)
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    return ignoreMissing(error, [])
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return ignoreMissing(error, null)
  }
}

/** A file that disappeared after it was listed was deleted or packed. */
function ignoreMissing<T>(error: unknown, otherwise: T): T {
  if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise
  throw error
}
