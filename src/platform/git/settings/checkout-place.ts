/**
 * Where gza checks files out. git-lfs and partial clones then fetch what is missing, as the person, with the person's SSH
 * agent and tokens. Any other program that git would run gets none of that: an agent may have written it.
 */
import type { Repo } from '../find-repo.ts'
import { type GitPlace, tryGit } from '../git.ts'
import { guarded, personsPlaceAt } from '../own-git.ts'
import { neutralEntries } from './executing-keys.ts'
import { listSettings } from './list-settings.ts'
import { type Entry, type Programs, runProgramsAs } from './neutral-settings.ts'

/** For a worktree that exists. */
export function checkoutAt(repo: Repo, path: string, identity?: string): GitPlace {
  return asKnown(repo, personsPlaceAt(repo, path, identity))
}

/** For a worktree of this commit that is about to be made, or a merge without one. */
export function checkoutFrom(repo: Repo, commit?: string): GitPlace {
  const place = asKnown<GitPlace>(repo, repo)
  if (commit === undefined || !leadsLfsAway(repo, commit)) return place
  return { ...place, settings: [...(place.settings ?? []), NO_FETCHING] }
}

/** The commit has another `.lfsconfig` than the person: git-lfs would talk to an address of the agent, as the person. */
function leadsLfsAway(repo: Repo, commit: string): boolean {
  if (!listSettings(repo)?.some(({ key, value }) => FOR_FILES.test(key) && LFS.test(value))) return false
  const [there, here] = [commit, 'HEAD'].map((at) =>
    tryGit(repo, ['rev-parse', '--verify', '--quiet', `${at}:.lfsconfig`]),
  )
  return there?.stdout.toString() !== here?.stdout.toString()
}

/** What is not here stays as git-lfs has stored it in the commit. */
const NO_FETCHING: Entry = { key: 'lfs.fetchexclude', value: '*' }

function asKnown<T extends GitPlace>(repo: Repo, place: T): T {
  const settings = listSettings(repo)
  if (settings === null) return guarded(place)
  const ofTree = settings.filter(isFetchingWithTree)
  if (ofTree.length > 0) return { ...guarded(place), settings: ofTree.flatMap(neutralEntries) }
  return settings.every(isKnown) ? place : guarded(place)
}

function isKnown({ key, value }: Entry): boolean {
  return !FOR_FILES.test(key) || value === '' || LFS.test(value)
}

/** The person's programs that may be files of the tree, or run some of it. */
export interface TreePrograms {
  /** Git runs them on files, or to find changed ones. */
  onFiles: readonly Entry[]
  /** Git runs them to fetch or to sign. */
  fetching: readonly Entry[]
}

/** From now on every git of this process runs these as `box` says. Null: as the person's own git does. */
export function runTreeProgramsAs(repo: Repo, box: ((programs: TreePrograms, tree: string) => Programs) | null): void {
  const find = (tree: string): Programs => {
    const programs = treePrograms(repo)
    const isNone = programs.onFiles.length + programs.fetching.length === 0
    return isNone || box === null ? NO_PROGRAMS : box(programs, tree)
  }
  runProgramsAs(box && find)
}

const NO_PROGRAMS: Programs = { settings: [], env: {} }

/** The last setting of each key counts. */
function treePrograms(repo: Repo): TreePrograms {
  const settings = [...new Map((listSettings(repo) ?? []).map((entry) => [entry.key, entry])).values()]
  return { onFiles: settings.filter(mayRunTree), fetching: settings.filter(isFetchingWithTree) }
}

/** Whether git runs a file of the tree to fetch or to sign. It runs in no box: git's own programs take its place. */
function isFetchingWithTree({ key, value }: Entry): boolean {
  return FOR_FETCHING.test(key) && RELATIVE.test(value)
}

/** Whether git runs this program on files, or to find changed ones, and it may be one of the tree, or run one of the tree. */
function mayRunTree({ key, value }: Entry): boolean {
  if (key === 'core.fsmonitor') return !/^(true|false|yes|no|on|off|0|1|)$/i.test(value)
  return FOR_FILES.test(key) && value !== '' && !LFS.test(value) && !KNOWN.test(value)
}

const FOR_FILES = /^(filter\..*\.(clean|smudge|process)|merge\..*\.driver)$/s
const LFS = /^git[- ]lfs( [^;&|`$()<>\n]*)?$/

/** They run nothing of the tree, and need what a box hides or what cannot be written there: keys, and their own folder. */
const KNOWN = /^(true|cat|git annex|"?(\/[\w./-]+\/)?git-(crypt|annex)"?)( [^;&|`$()<>\n]*)?$/

/** Usually programs of the system. A relative path names a file of the tree. */
const FOR_FETCHING = /^(core\.(sshcommand|askpass|gitproxy)|credential\.(.*\.)?helper|gpg\.(.*\.)?program)$/s
const RELATIVE = /(^|[\s!'"=])(\.{1,2}\/|[\w.-]+\/)/
