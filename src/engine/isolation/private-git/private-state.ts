/** What an agent has made of its private git folder, read from files without following links and without git. */

import { join } from 'node:path'
import { removeFile } from '../../../platform/files/files.ts'
import { readBelow, readStartBelow } from '../../../platform/files/untrusted/read-below.ts'
import { isRefPath, readValueLines } from '../../../platform/git/refs.ts'
import { type Unfinished, unfinishedIn } from '../../../platform/git/worktrees.ts'
import type { WorktreeFault } from '../../worktree/worktree-fault.ts'
import { gitIn } from './private-git.ts'

export interface PrivateState {
  /** A branch, or a commit; null if it cannot be read. */
  head: { kind: 'branch'; branch: string } | { kind: 'detached'; oid: string } | null
  /** Branches, tags and notes: an object id, or `ref:` and what it leads to. */
  refs: ReadonlyMap<string, string>
  /** Entries of the stash. */
  stash: readonly string[]
  unfinished: Unfinished | null
  /** Repositories of submodules, with commits that are nowhere else. */
  hasModules: boolean
  /** Refs that are not what git writes. Nothing is imported then: whatever reads them could wait for ever. */
  odd: readonly string[]
}

export function readPrivateState(folder: string): PrivateState {
  const git = gitIn(folder)
  const found: Walk = { refs: new Map(), odd: [], left: MOST_REFS }
  const packed = readBelow(git, ['packed-refs'], LARGEST)
  if (packed.kind === 'file')
    for (const [ref, oid] of readValueLines(packed.text)) if (isWanted(ref) && isRefPath(ref)) found.refs.set(ref, oid)
  if (packed.kind === 'odd' || packed.kind === 'link') found.odd.push('packed-refs')
  for (const place of PLACES) walk(git, place.split('/'), found)
  const { refs, odd } = found
  return {
    ...{ head: readPrivateHead(git), refs, odd, stash: readStash(git), unfinished: unfinishedIn(git) },
    hasModules: hasMore(git, ['modules'], { left: MOST_FOLDERS }),
  }
}

/** Whether anything but folders is there: an empty one was only the place of a mount. */
function hasMore(git: string, names: readonly string[], walked: { left: number }): boolean {
  const found = readBelow(git, names, LARGEST)
  if (found.kind !== 'folder') return found.kind !== 'none'
  walked.left -= found.names.length
  return walked.left < 0 || names.length > DEEPEST || found.names.some((name) => hasMore(git, [...names, name], walked))
}

/** Nobody has that many submodules, or names of so many parts: then it is not searched further. */
const MOST_FOLDERS = 10_000
const DEEPEST = 20

/** The folder with the repositories of submodules; null if there is none, or if it is a link. */
export function modulesIn(folder: string): string | null {
  const git = gitIn(folder)
  return readBelow(git, ['modules'], LARGEST).kind === 'folder' ? join(git, 'modules') : null
}

/** The same words for the same faults as those of a worktree without a box. */
export function privateFault({ head, refs, unfinished }: PrivateState, branch: string): WorktreeFault | null {
  if (unfinished !== null) return { kind: 'unfinished', what: unfinished }
  if (head === null) return { kind: 'missing' }
  if (head.kind === 'detached') return { kind: 'detached', at: head.oid }
  if (head.branch !== branch) return { kind: 'other-branch', branch: head.branch }
  return refs.has(`refs/heads/${branch}`) ? null : { kind: 'missing' }
}

/** A killed git has left them, and no process of its box is alive. */
export function clearPrivateLocks(folder: string, branch: string | null): void {
  const names = [
    'index.lock',
    'HEAD.lock',
    'packed-refs.lock',
    ...(branch === null ? [] : [`refs/heads/${branch}.lock`]),
  ]
  for (const name of names)
    if (readBelow(gitIn(folder), name.split('/'), LARGEST).kind === 'file') removeFile(join(gitIn(folder), name))
}

/**
 * Whether the agent has staged what its commit does not have. A file that git ignores is only in its index then, and no
 * status outside shows it. `gitDir`: git's own folder for the worktree, whose index is that of the commit.
 */
export function mayHaveStaged(folder: string, gitDir: string): boolean {
  return entryCount(gitIn(folder)) !== entryCount(gitDir)
}

/** How many files an index names. */
function entryCount(gitDir: string): number | null {
  const header = readStartBelow(gitDir, ['index'], 12)
  return header?.toString('latin1', 0, 4) === 'DIRC' ? header.readUInt32BE(8) : null
}

const PLACES = ['refs/heads', 'refs/tags', 'refs/notes']
const MOST_REFS = 10_000
const LARGEST = 64 * 1024 * 1024
const OID = /^[0-9a-f]{40}([0-9a-f]{24})?$/

interface Walk {
  refs: Map<string, string>
  odd: string[]
  left: number
}

function isWanted(ref: string): boolean {
  return PLACES.some((place) => ref.startsWith(`${place}/`))
}

function walk(git: string, names: readonly string[], found: Walk): void {
  const ref = names.join('/')
  const there = readBelow(git, names, LARGEST)
  if (there.kind === 'none' || ref.endsWith('.lock')) return
  if (there.kind === 'folder') found.left -= there.names.length
  if (there.kind === 'folder' && found.left > 0) {
    for (const name of there.names) walk(git, [...names, name], found)
    return
  }
  const value = there.kind === 'file' ? refValue(there.text) : null
  if (value === null || !isRefPath(ref)) found.odd.push(ref)
  else found.refs.set(ref, value)
}

function refValue(text: string): string | null {
  const value = text.trim()
  if (OID.test(value)) return value
  const target = /^ref:\s*(\S+)$/.exec(value)?.[1]
  return target === undefined ? null : `ref:${target}`
}

function readPrivateHead(git: string): PrivateState['head'] {
  const found = readBelow(git, ['HEAD'], 4096)
  const value = found.kind === 'file' ? found.text.trim() : ''
  const branch = /^ref:\s*refs\/heads\/(\S+)$/.exec(value)?.[1]
  if (branch !== undefined) return { kind: 'branch', branch }
  return OID.test(value) ? { kind: 'detached', oid: value } : null
}

/** Only the newest entry has a ref; the others are in its log. */
function readStash(git: string): string[] {
  const newest = readBelow(git, ['refs', 'stash'], 4096)
  const log = readBelow(git, ['logs', 'refs', 'stash'], LARGEST)
  const logged = log.kind === 'file' ? log.text.split('\n').map((line) => line.split(' ', 2)[1] ?? '') : []
  const all = newest.kind === 'file' ? [newest.text.trim(), ...logged.reverse()] : []
  return [...new Set(all.filter((oid) => OID.test(oid)))].slice(0, MOST_STASHES)
}

const MOST_STASHES = 50
