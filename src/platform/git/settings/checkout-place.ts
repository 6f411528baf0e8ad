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

const FOR_FILES = /^(filter\..*\.(clean|smudge|process)|merge\..*\.driver)$/s
const LFS = /^git[- ]lfs(\s[^;&|`$()<>]*)?$/

/** Usually programs of the system. A relative path names a file of the tree. */
const FOR_FETCHING = /^(core\.(sshcommand|askpass|gitproxy)|credential\.(.*\.)?helper|gpg\.(.*\.)?program)$/s
const RELATIVE = /(^|[\s!'"=])(\.{1,2}\/|[\w.-]+\/)/
