import { join } from 'node:path'
import { normalize } from 'node:path/posix'
import { printable } from '../../core/text/printable.ts'
import { fileExists } from '../../platform/files/files.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit } from '../../platform/git/own-git.ts'

/**
 * The paths that are not in the commit, as text. A file that is only on disk counts as missing: others do not get it.
 */
export function missingFiles(place: GitPlace, commit: string, paths: readonly string[]): string[] {
  // The test runner resolves patterns.
  const wanted = [...new Set(paths.filter((path) => !path.includes('*')).map(fromTop))]
  if (wanted.length === 0) return []
  const inside = wanted.filter((path) => !/^(\.\.)?(\/|$)/.test(path))
  const found = new Set(listInCommit(place, commit, inside))
  return wanted.filter((path) => !found.has(path)).map((path) => describe(place, path))
}

function fromTop(path: string): string {
  return normalize(path.trim()).replace(/\/$/, '')
}

function listInCommit(place: GitPlace, commit: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const text = runOwnGit(place, ['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', ...paths]).toString()
  return text.split('\0')
}

function describe(place: GitPlace, path: string): string {
  const isOnDisk = !path.startsWith('/') && fileExists(join(place.dir, path))
  return `${printable(path)}${isOnDisk ? ' (on disk, but ignored by git)' : ''}`
}

/** Those of the paths that the commit has. */
export function committedFiles(place: GitPlace, commit: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const all = runOwnGit(place, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]).toString().split('\0')
  const inCommit = new Set(all)
  return paths.filter((path) => inCommit.has(path)).map((path) => printable(path))
}
