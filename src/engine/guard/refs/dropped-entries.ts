/**
 * `git stash pop` applies an entry of the stash and drops it, and git logs neither. If most of what the entry had added is
 * in the files of one of the person's checkouts, it is not lost: a person has popped it, and may have gone on from there.
 */
import { join } from 'node:path'
import { readTextIfThere } from '../../../platform/files/files.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryGit } from '../../../platform/git/git.ts'
import { isOwnLock, listWorktrees } from '../../../platform/git/worktrees.ts'

export function isPopped(repo: Repo, entry: string): boolean {
  const added = [
    ...addedLines(repo, ['diff', ...PLAIN, `${entry}^1`, entry, '--']),
    // The files that git did not know, if there were any.
    ...addedLines(repo, ['diff-tree', ...PLAIN, '-p', '--root', '--no-commit-id', `${entry}^3`, '--']),
  ]
  if (added.every(([, lines]) => lines.length === 0)) return false
  const checkouts = listWorktrees(repo).filter(({ lock }) => lock === null || !isOwnLock(lock))
  return checkouts.some(({ path }) => added.every(([file, lines]) => hasMost(join(path, file), lines)))
}

/** No program of the person's settings runs. */
const PLAIN = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '-U0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

/** Lines without a word, such as brackets, are in every file. */
function addedLines(repo: Repo, args: readonly string[]): [file: string, lines: string[]][] {
  const found: [string, string[]][] = []
  for (const line of tryGit(repo, ['-c', 'core.quotePath=false', ...args])
    .stdout.toString()
    .split('\n')) {
    const file = /^\+\+\+ b\/(.+?)\t?$/.exec(line)?.[1]
    if (file !== undefined) found.push([file, []])
    else if (/^\+.*\w/.test(line)) found.at(-1)?.[1].push(line.slice(1).trim())
  }
  return found
}

function hasMost(path: string, lines: readonly string[]): boolean {
  if (lines.length === 0) return true
  const there = new Set(
    textOf(path)
      .split('\n')
      .map((line) => line.trim()),
  )
  return lines.filter((line) => there.has(line)).length * 2 >= lines.length
}

function textOf(path: string): string {
  try {
    return readTextIfThere(path) ?? ''
  } catch {
    // Not a file any more.
    return ''
  }
}
