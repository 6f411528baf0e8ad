import { join } from 'node:path'
import { markedBy } from '../../engine/supervise/marked.ts'
import { own, placeAt, signedBy } from '../../engine/worktree/place.ts'
import { makeThrowAway } from '../../engine/worktree/throw-away.ts'
import { workplaceRoot } from '../../engine/worktree/workplace.ts'
import { fileExists } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { type Env, type GitPlace, runGit } from '../../platform/git/git.ts'
import { identityOf } from '../../platform/git/git-identity.ts'

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
  makeThrowAway(markedBy(repo, marker), path, commit)
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
