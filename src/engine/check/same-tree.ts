import { printable } from '../../core/text/printable.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGitAsync } from '../../platform/git/own-git.ts'
import { readHead } from '../../platform/git/refs.ts'
import { type Change, isOurs } from '../../platform/git/uncommitted.ts'
import { openWorkTree } from '../../platform/git/worktrees.ts'
import { readChanges } from '../isolation/agent-box/read-changes.ts'

/** Why the worktree is not exactly this commit; null if it is. */
export async function whyNotAt(repo: Repo, place: GitPlace, commit: string): Promise<string | null> {
  const head = headOf(repo, place)
  if (head === null) return NO_WORKTREE
  if (head !== commit) return `The worktree is at ${head.slice(0, 10)}, not at ${commit.slice(0, 10)}`
  const changes = (await readChanges(repo, place.dir)).filter((change) => !isOurs(change))
  return changes.length === 0 ? null : `Not committed: ${name(changes)}`
}

/**
 * The same after a command, as the end of a sentence about it. New files (caches, reports) do not change the commit.
 * There were none when the command started, so they are its own and are deleted.
 */
export async function whyNotStillAt(repo: Repo, place: GitPlace, commit: string): Promise<string | null> {
  const head = headOf(repo, place)
  if (head === null) return 'made the worktree part of another repository'
  if (head !== commit) return `moved the worktree from ${commit.slice(0, 10)} to ${head.slice(0, 10)}`
  const changes = (await readChanges(repo, place.dir)).filter((change) => !isOurs(change))
  const changed = changes.filter(({ state }) => state !== '??')
  if (changed.length > 0) return `changed ${name(changed)}`
  if (changes.length > 0) await runOwnGitAsync(place, ['clean', '--quiet', '--force', '-d', '--exclude=/.gza/'])
  return null
}

/** Null if it is not a worktree of this repository: git would use the settings of another one. */
export function headOf(repo: Repo, { dir }: GitPlace): string | null {
  if (dir === repo.workTree) return readHead(repo).oid ?? ''
  const workTree = openWorkTree(repo, dir)
  return workTree === null ? null : (readHead(workTree).oid ?? '')
}

const NO_WORKTREE = 'It is not a worktree of this repository'

const NAMED = 10

function name(changes: readonly Change[]): string {
  const names = changes.slice(0, NAMED).map(({ path }) => printable(path))
  const more = changes.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
