/** An agent may move its own branch and what it creates, but no branch, tag or stash that existed before its phase. */
import { basename, dirname, join } from 'node:path'
import { appendIfThere, listFiles, readTextIfThere, removeFile, writeBackdated } from '../../../platform/files/files.ts'
import { realPath } from '../../../platform/files/inspect-file.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { type RefValues, readRefValues } from '../../../platform/git/ref-files.ts'
import { readReflog } from '../../../platform/git/refs.ts'
import { type HeadState, readHeadState } from './head-state.ts'

/** The branches, tags and stash entries at one moment. */
export interface RefsState {
  /** Object id by ref; `ref:` and the target for a symbolic ref. */
  refs: RefValues
  /** Newest first. */
  stash: { commit: string; message: string }[]
  /** What the person has checked out. Not in what an older gza has held, and not in every kind of repository. */
  head?: HeadState | null
  /** Git's folders of the checkouts in which people work. Not in what an older gza has held. */
  checkouts?: string[]
}

export interface OwnBranch {
  name: string
  /** The person's branch, in `git tasks run`: it may only move forward from here. */
  from: string | null
}

export function readRefsState(repo: Repo): RefsState {
  const refs = readRefValues(repo, PLACES)
  return { refs, stash: refs.has(STASH) ? readReflog(repo, STASH) : [], head: readHeadState(repo) }
}

export const STASH = 'refs/stash'
const PLACES = ['refs/heads/', 'refs/tags/', STASH]

export interface KeptFor {
  name: string
  own: OwnBranch | null
  /** When the guard started to look, in milliseconds of `performance.now()`. Later settings count as changed. */
  began: number
}

/** Writes the list of protected refs. The environment passes it and its repository to the guard's hook and shim. */
export function keepRefs(repo: Repo, { name, own, began }: KeptFor, { refs, stash }: RefsState): Env {
  const file = listOf(repo, name)
  const kept = [...refs.keys()].filter((ref) => ref !== `refs/heads/${own?.name}`)
  const lines = [...kept, ...stash.map(({ commit }) => `stash ${commit}`)]
  // Shells compare times in seconds: a setting that changes within this second must count as newer.
  const seconds = 2 + (performance.now() - began) / 1000
  writeBackdated(file, lines.map((line) => `${line}\n`).join(''), seconds)
  if (own?.from === null) keepFromOthers(repo, name, own.name)
  return {
    GZA_KEPT_BRANCHES: file,
    GZA_KEPT_REPO: realPath(repo.commonDir),
    GZA_OWN_BRANCH: own?.name ?? '',
    GZA_OWN_FROM: own?.from ?? '',
  }
}

/** A run that starts later has a new branch. The agents that are running already may not move it either. */
function keepFromOthers(repo: Repo, name: string, branch: string): void {
  const [run = name] = name.split('.', 1)
  const own = listOf(repo, run)
  for (const file of listFiles(dirname(own)).filter((each) => !each.startsWith(own))) {
    const text = readTextIfThere(file)
    const line = `refs/heads/${branch}\n`
    if (text !== null && !`\n${text}`.includes(`\n${line}`)) appendIfThere(file, line)
  }
}

export function forgetRefs(repo: Repo, name: string): void {
  removeFile(listOf(repo, name))
  removeFile(join(guardFolder(repo), `${INSTALLS}${name}`))
}

/** Has what runs now asked git for the folder of the hooks, as installers do? The shim has noted it. */
export function isInstalling(repo: Repo): boolean {
  return listFiles(guardFolder(repo)).some((path) => basename(path).startsWith(INSTALLS))
}

const INSTALLS = 'installs-'

function guardFolder({ commonDir }: Repo): string {
  return join(commonDir, 'gza', 'guard')
}

function listOf(repo: Repo, name: string): string {
  return join(guardFolder(repo), 'branches', name)
}

/** What an agent may not move in this repository. */
export interface KeptRefs {
  refs: ReadonlySet<string>
  own: { ref: string; from: string } | null
}

/** Nothing for other repositories: tests of an agent create their own and may do anything there. */
export function keptRefs(repo: Repo, env: Env): KeptRefs {
  const { GZA_KEPT_BRANCHES: file, GZA_KEPT_REPO: place, GZA_OWN_BRANCH: own, GZA_OWN_FROM: from } = env
  if (!file || place !== realPath(repo.commonDir)) return { refs: new Set(), own: null }
  const refs = new Set(readTextIfThere(file)?.split('\n').filter(Boolean))
  return { refs, own: own && from ? { ref: `refs/heads/${own}`, from } : null }
}
