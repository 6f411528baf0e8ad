import { join } from 'node:path'
import type { WorktreeSettings } from '../../core/config/settings.ts'
import {
  type IgnorePattern,
  isMatched,
  namesSomethingIn,
  patternFor,
  readPatterns,
} from '../../core/project/ignore-patterns.ts'
import { readTextIfThere, writeText } from '../../platform/files/files.ts'
import { filesBelow, placeCopy, placeLink } from '../../platform/files/place-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { listIgnored, personalExcludes } from '../../platform/git/ignored-files.ts'
import { placeAt } from '../../platform/git/own-git.ts'
import { excludesIn } from '../../platform/git/worktree-folder.ts'
import { COPIED } from '../guard/redact.ts'

/** A list of patterns in the person's checkout, which other tools read too. */
export const INCLUDE_FILE = '.worktreeinclude'

/** The patterns of the files that worktrees get a copy of: those of the settings, then those of the file. */
export function copyPatterns({ workTree }: Repo, { copy }: WorktreeSettings): string[] {
  const text = workTree === null ? null : readTextIfThere(join(workTree, INCLUDE_FILE))
  return [...copy, ...(text ?? '').split('\n')].filter((line) => line.trim() !== '')
}

/**
 * Copies and links what a worktree gets from the person's checkout, and hides it from git before it is there. What the
 * commit has at the same path stays.
 */
export function placeFiles(repo: Repo, to: { path: string; folder: string }, settings: WorktreeSettings): Placed {
  const { workTree } = repo
  const links = settings.link.map((path) => path.replace(/\/+$/, ''))
  if (workTree === null) return { placed: [], missing: links }
  const patterns = readPatterns(copyPatterns(repo, settings))
  const copies = patterns.length === 0 ? [] : ignoredFiles(repo, workTree, patterns)
  if (copies.length + links.length > 0) hideFiles(repo, to, [...copies, ...links])
  const copied = copies.filter((path) => placeCopy(join(workTree, path), to.path, path))
  const linked = links.filter((path) => placeLink(join(workTree, path), to.path, path))
  return { placed: [...copied, ...linked], missing: links.filter((path) => !linked.includes(path)) }
}

/** The variable that names the copied `.env` files, so that their secrets are left out of logs and notes. */
export function copiedVariable(repo: Repo, settings: WorktreeSettings): Env {
  const { workTree } = repo
  const patterns = workTree === null ? [] : readPatterns(copyPatterns(repo, settings))
  if (workTree === null || patterns.length === 0) return {}
  const files = ignoredFiles(repo, workTree, patterns).filter((path) => /(?:^|\/)\.env|\.env$/.test(path))
  return files.length === 0 ? {} : { [COPIED]: files.map((path) => join(workTree, path)).join('\n') }
}

interface Placed {
  placed: string[]
  /** Links that could not be made. */
  missing: string[]
}

/** Adds paths to what the worktree hides from git. */
export function hideFiles(repo: Repo, to: { path: string; folder: string }, paths: readonly string[]): void {
  const file = excludesIn(to.folder)
  const before = readTextIfThere(file) ?? personalExcludes(placeAt(repo, to.path))
  const lines = paths.flatMap((path) => patternFor(path) ?? [])
  const start = before === '' || before.endsWith('\n') ? before : `${before}\n`
  writeText(file, `${start}${lines.join('\n')}\n`)
}

/** Only what git ignores is copied, and nothing of gza's own folder. */
function ignoredFiles(repo: Repo, top: string, patterns: readonly IgnorePattern[]): string[] {
  const found = listIgnored(repo, top).flatMap((entry) => {
    const path = entry.replace(/\/$/, '')
    if (path === '.gza' || path.startsWith('.gza/')) return []
    if (path === entry) return isMatched(patterns, path, 'file') ? [path] : []
    if (isMatched(patterns, path, 'folder')) return filesBelow(top, path)
    if (!namesSomethingIn(patterns, path)) return []
    return filesBelow(top, path).filter((file) => isMatched(patterns, file, 'file'))
  })
  return found.filter((path) => patternFor(path) !== null)
}
