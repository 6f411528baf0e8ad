/**
 * What is checked out in the person's working tree, and git's own log of that. People switch branches and commit while
 * agents run, and git logs it. What moves HEAD or the checked-out branch without a word in the log is not theirs.
 */
import { join } from 'node:path'
import { readTextIfThere } from '../../../platform/files/files.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'

export interface HeadState {
  /** `ref: refs/heads/main`, or a commit. */
  value: string
  /** The last line of its log. */
  last: string
}

/** Null where git keeps no log of it, or not in files. */
export function readHeadState({ gitDir, workTree, hasFileRefs }: Repo): HeadState | null {
  if (workTree === null || !hasFileRefs) return null
  // The log first, because git writes it first: the line about a switch that is under way must not count as seen.
  const last = linesOf(join(gitDir, 'logs/HEAD')).at(-1)
  const value = readTextIfThere(join(gitDir, 'HEAD'))?.trim()
  return value === undefined || last === undefined ? null : { value, last }
}

/** Was HEAD switched to another branch or commit, around git's own commands? Its new value; null if not. */
export function switchedUnlogged(repo: Repo, before: HeadState): string | null {
  const value = readTextIfThere(join(repo.gitDir, 'HEAD'))?.trim() ?? ''
  if (value === before.value) return null
  const log = linesOf(join(repo.gitDir, 'logs/HEAD'))
  // Git removes old lines from its log, and a person may remove them all: then it says nothing about the switch.
  if (log.length === 0) return null
  const lines = log.slice(log.lastIndexOf(before.last) + 1)
  const branch = /^ref: refs\/heads\/(.+)$/.exec(value)?.[1]
  if (branch === undefined) return lines.some((line) => line.split(' ', 2)[1] === value) ? null : value
  // Git logs nothing when it begins a branch without history.
  if (readTextIfThere(join(repo.commonDir, `logs/refs/heads/${branch}`)) === null) return null
  const ends = [` to ${branch}`, ` to refs/heads/${branch}`]
  const isSaid = (line: string) => ends.some((end) => line.endsWith(end)) || /\tcommit \(initial\): /.test(line)
  return lines.some(isSaid) ? null : value
}

/** Has the branch got this commit without a reason in its log? Only for what the person has checked out. */
export function isUnlogged(repo: Repo, before: HeadState, { ref, to }: { ref: string; to: string }): boolean {
  if (before.value !== `ref: ${ref}`) return false
  const lines = linesOf(join(repo.commonDir, 'logs', ref))
  if (lines.length === 0) return false
  const reasons = lines.filter((line) => line.split(' ', 2)[1] === to).map((line) => line.split('\t')[1] ?? '')
  return !reasons.some((reason) => reason.trim() !== '')
}

function linesOf(path: string): string[] {
  return readTextIfThere(path)?.split('\n').filter(Boolean) ?? []
}
