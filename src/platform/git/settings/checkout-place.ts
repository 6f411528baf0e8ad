/**
 * Where gza checks files out. git-lfs and partial clones then fetch what is missing, as the person, with the person's SSH
 * agent and tokens. Any other program that git would run gets none of that: an agent may have written it.
 */
import type { Repo } from '../find-repo.ts'
import type { GitPlace } from '../git.ts'
import { guarded, personsPlaceAt } from '../own-git.ts'
import { listSettings } from './list-settings.ts'
import type { Entry } from './neutral-settings.ts'

/** For a worktree that exists. */
export function checkoutAt(repo: Repo, path: string, identity?: string): GitPlace {
  const place = personsPlaceAt(repo, path, identity)
  return runsOnlyKnown(repo) ? place : guarded(place)
}

/** For a worktree that is about to be made, or a merge without one. */
export function checkoutFrom(repo: Repo): Repo {
  return runsOnlyKnown(repo) ? repo : guarded(repo)
}

function runsOnlyKnown(repo: Repo): boolean {
  return listSettings(repo)?.every(isKnown) ?? false
}

function isKnown({ key, value }: Entry): boolean {
  if (FOR_FILES.test(key)) return value === '' || LFS.test(value)
  return !FOR_FETCHING.test(key) || !RELATIVE.test(value)
}

/** Whether git runs this program on files, or to find changed ones, and it may be one of the tree, or run one of the tree. */
export function mayRunTree({ key, value }: Entry): boolean {
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
