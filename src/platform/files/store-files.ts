import { linkError } from './link-error.ts'
import { quickStat, quickStatOfLink } from './quick-stat.ts'
import { nodeFs, nodePath } from './slow-modules.ts'

/** The files of a database. Every command opens one, so node:fs is loaded only if something must be changed. */

export function storeExists(path: string): boolean {
  return quickStat(path) !== null
}

/** Distinguishes a file from another that took its name; null if there is none. */
export function storeIdentity(path: string): string | null {
  return quickStat(path)?.identity ?? null
}

/** A database behind a link that an agent put there could be any file of the user. */
export function refuseStoreLinks(paths: readonly string[]): void {
  for (const path of paths) if (quickStatOfLink(path)?.kind === 'other') throw linkError(path)
}

export function makeStoreFolder(path: string): void {
  nodeFs().mkdirSync(nodePath().dirname(path), { recursive: true })
}

/** Renames a damaged database, and replaces an earlier one with that name. Its log belongs to no other file. */
export function setStoreAside(path: string, to: string): void {
  const { existsSync, renameSync, rmSync } = nodeFs()
  if (existsSync(path)) renameSync(path, to)
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
}
