import { join } from 'node:path'
import { clearPath, ensureFolder, fileExists } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env, GitPlace } from '../../platform/git/git.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import { markedBy, runOwnGit } from '../../platform/git/own-git.ts'
import { checkoutAt } from '../../platform/git/settings/checkout-place.ts'
import { makeThrowAway } from '../../platform/git/throw-away.ts'
import { listGitlinks } from '../../platform/git/uncommitted.ts'
import { workplaceRoot } from '../../platform/git/workplace-root.ts'

/** Where a landing is built and verified: a checkout with a detached HEAD. Only its commits are kept. */
export interface LandPlace extends GitPlace {
  repo: Repo
}

/** No worktree of a branch can have this path, because no part of a branch name starts with a dot. */
export function landPath(repo: Repo, env: Env, base: string): string {
  return join(workplaceRoot(repo, env), '.land', encodeURIComponent(base))
}

/**
 * `marker`: if this landing is killed, the next one finds its running git processes by the marker and ends them first.
 */
export function layOutLandPlace(
  repo: Repo,
  path: string,
  { commit, marker }: { commit: string; marker: string },
): LandPlace {
  const marked = markedBy(repo, marker)
  makeThrowAway(marked, path, { commit, why: `a landing is built here (${marker})` })
  return { repo, ...checkoutAt(marked, path, identityOf(repo)) }
}

/** Whether it still exists: between two landings, another process may have used the same place and removed it. */
export function isLandPlace(place: LandPlace | null): place is LandPlace {
  return place !== null && fileExists(join(place.dir, '.git'))
}

/**
 * Empties the nested repositories that a check may have filled: `clean` leaves them, because they are tracked, and a
 * cherry-pick that becomes empty would run what is configured in them.
 */
export function emptyGitlinks(place: GitPlace): void {
  for (const path of listGitlinks(place)) {
    clearPath(place.dir, path)
    ensureFolder(join(place.dir, path))
  }
}

/** Resets it to exactly this commit, whatever was left in it. */
export function resetLandPlace(place: GitPlace, commit: string): void {
  runOwnGit(place, ['checkout', '--quiet', '--force', '--detach', commit])
  runOwnGit(place, ['clean', '--quiet', '-ffdx'])
}

export function headOf(place: GitPlace): string {
  return runOwnGit(place, ['rev-parse', '--verify', 'HEAD']).toString().trim()
}
