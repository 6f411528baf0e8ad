import { join } from 'node:path'
import { fileExists } from '../../platform/files.ts'
import type { Repo } from '../../platform/find-repo.ts'
import { type Env, type GitPlace, runGit } from '../../platform/git.ts'
import { identityOf } from '../../platform/identity.ts'
import { markedBy } from '../supervise/marked.ts'
import { makeThrowAway } from '../throw-away.ts'
import { own, placeAt, signedBy } from '../workplace/place.ts'
import { workplaceRoot } from '../workplace.ts'

/** Where a landing is built and verified: a checkout on no branch, of which nothing is kept but commits. */
export interface LandPlace extends GitPlace {
  repo: Repo
}

/** No branch's worktree can be in the way: no part of a branch's name begins with a dot. */
export function landPath(repo: Repo, env: Env, base: string): string {
  return join(workplaceRoot(repo, env), '.land', encodeURIComponent(base))
}

/** `marker`: by it whoever lands next finds the git that went on when this landing was killed, before he builds there. */
export function layOutLandPlace(
  repo: Repo,
  path: string,
  { commit, marker }: { commit: string; marker: string },
): LandPlace {
  makeThrowAway(markedBy(repo, marker), path, '', commit)
  return markedBy({ repo, ...signedBy(placeAt(repo, path), identityOf(repo)) }, marker)
}

/** Whether it is still there: between two landings another process may have taken the same place, and cleared it. */
export function isLandPlace(place: LandPlace | null): place is LandPlace {
  return place !== null && fileExists(join(place.dir, '.git'))
}

/** Brings it to exactly this commit, whatever was left in it. */
export function resetLandPlace(place: GitPlace, commit: string): void {
  runGit(place, own('checkout', '--quiet', '--force', '--detach', commit))
  runGit(place, own('clean', '--quiet', '-ffdx'))
}

export function headOf(place: GitPlace): string {
  return runGit(place, own('rev-parse', '--verify', 'HEAD'))
    .toString()
    .trim()
}
