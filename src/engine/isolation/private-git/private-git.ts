/**
 * A run's private git folder: what `.git` leads to inside of a box. It has refs, an index, a configuration and hooks of
 * its own, and reads the real repository's objects through `objects/info/alternates`. An agent can do anything with it:
 * commit, rebase, stash, gc. The ledgers, the base, other branches, configuration and hooks of the real repository are
 * not in it.
 *
 * It is made after `git worktree add` (make.ts), which stays as it is. After a phase only the task's branch is imported
 * (import-work.ts). Commits elsewhere, on other branches or in a stash, are kept below `refs/gza/kept/RUN`. It is removed
 * with its worktree (remove.ts), and never while it contains commits that the real repository does not have.
 *
 * One worktree has one private git folder. It belongs to the worktree and not to the run: a merge that an agent left
 * unfinished is in it, and the next run continues there. Its folder contains:
 *
 *   about.json   what gza knows about it; written last, so that a folder without it is half made. Not in the box.
 *   given        the refs that it started with. Not in the box.
 *   link         the text of `.git` inside of the box, mounted over the worktree's own. With Landlock nothing can be
 *                mounted: the worktree's own `.git` has this text for the time of a phase (worktree-link.ts).
 *   tmp/         the folder for temporary files inside of the box.
 *   git/         the git folder itself. The agent can write it: outside of the box gza reads a few files there without
 *                following links (private-state.ts), and no git process works in it.
 */

import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { readTextIfThere, writeText } from '../../../platform/files/files.ts'
import { realPath } from '../../../platform/files/inspect-file.ts'
import { replaceFile } from '../../../platform/files/replace-file.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { privateGitRoot } from '../../../platform/git/workplace-root.ts'

export interface PrivateGit {
  folder: string
  about: About
}

/** What gza knows about a private git folder, beyond the reach of its agent. */
export interface About {
  version: 1
  run: string
  worktree: string
  /** Null: a temporary checkout without a branch, of which no commit is kept. */
  branch: string | null
  /** The branch's commit in the real repository when both were last the same. */
  tip: string
  /** Where the git folder is inside of the box: at its own path, or at `.git` of the person's own tree. */
  inside: string
  /** What its person leaves open; missing in those of earlier versions. */
  opened?: Opened
  /** Runs that had it before, whose base a lock has kept from being forgotten. */
  earlier?: string[]
  /** Absent: a worktree that gza has made. */
  persons?: PersonsTree
}

/**
 * In a person's own tree the agent works on the person's branch. That only moves forward, and the person may commit on it
 * meanwhile.
 */
export interface PersonsTree {
  /** The branch's commit before the agent began. Its work must contain it. */
  from: string
  /** The agent's commit that was imported last. `tip` is another one if a person's commits were joined with it. */
  own: string
}

/** The commit that the private branch had when it was last imported. */
export function importedCommit({ tip, persons }: About): string {
  return persons?.own ?? tip
}

/** What a box of the run leaves open, also for what reads its work afterwards. */
export interface Opened {
  allow: readonly string[]
  /** The home folder is read-only, except for what clients need. */
  isStrict: boolean
}

/** The folder for a worktree; it may not exist. Commands of the project have it too, if it contains no work. */
export function privateFolder(repo: Repo, env: Env, worktree: string): string {
  const path = realPath(worktree)
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12)
  return join(privateGitRoot(repo, env), `${basename(path).slice(0, 40)}-${hash}`)
}

/** The folder for commands of the project while the other one contains work. */
export function besideFolder(folder: string): string {
  return `${folder}.command`
}

export function gitIn(folder: string): string {
  return join(folder, 'git')
}

/** Where the real objects are if the private folder is at `.git` of the person's own tree. */
export function objectsInside({ about }: { about: Pick<About, 'inside'> }): string {
  return join(about.inside, 'gza/objects')
}

export function linkIn(folder: string): string {
  return join(folder, 'link')
}

/** What is at /tmp inside of the box. */
export function temporaryIn(folder: string): string {
  return join(folder, 'tmp')
}

export function givenIn(folder: string): string {
  return join(folder, 'given')
}

/** Null: there is none, or it is half made. */
export function openPrivateGit(folder: string): PrivateGit | null {
  const text = readTextIfThere(join(folder, ABOUT))
  return text === null ? null : { folder, about: JSON.parse(text) as About }
}

export function writeAbout(folder: string, about: About): void {
  replaceFile(join(folder, ABOUT), [Buffer.from(`${JSON.stringify(about)}\n`)])
}

export const ABOUT = 'about.json'

export function writeLink(folder: string, inside: string): void {
  writeText(linkIn(folder), `gitdir: ${inside}\n`)
}

/** Keeps what the private folder builds on from being pruned, whatever happens to the branch. */
export function baseRef(run: string): string {
  return `refs/gza/base/${run}`
}

export function incomingRef(run: string, name: string): string {
  return `refs/gza/incoming/${run}/${name}`
}

export function keptRef(run: string, name: string): string {
  return `refs/gza/kept/${run}/${name}`
}
