/**
 * Commits what an agent left uncommitted in its worktree, in a box, puts its commits on top of what others have committed
 * on the branch meanwhile, and imports the result.
 */
import type { Level } from '../../../core/isolation/levels.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryGit } from '../../../platform/git/git.ts'
import { identityOf } from '../../../platform/git/git-identity.ts'
import { readRef } from '../../../platform/git/refs.ts'
import { withoutFilters } from '../../../platform/git/settings/without-filters.ts'
import { isOurs, listUncommitted } from '../../../platform/git/uncommitted.ts'
import { adminFolder } from '../../../platform/git/worktree-folder.ts'
import { passStep } from '../../../platform/processes/crash-point.ts'
import { madeIn } from '../../guard/refs/persons-steps.ts'
import type { Theirs } from '../../worktree/join-theirs.ts'
import type { Refused } from '../../worktree/sift-leftovers.ts'
import { isAhead } from '../private-git/import-work.ts'
import { makePrivateGit } from '../private-git/make.ts'
import { openPrivateGit, type PrivateGit, privateFolder } from '../private-git/private-git.ts'
import { mayHaveStaged } from '../private-git/private-state.ts'
import { importFrom } from './import-in-box.ts'
import { NOTHING_INSIDE } from './keep-inside.ts'
import { runInside } from './run-inside.ts'

interface BoxedPlace {
  run: string
  level: Level
  branch: string
  worktree: string
}

interface BoxedKeeping extends BoxedPlace {
  message: string
  identity: string
}

interface KeptInBox {
  refused: Refused[]
  /** Why what was committed in the box is not on the branch; null: it is. */
  unimported: string | null
}

export async function keepInBox(repo: Repo, order: BoxedKeeping): Promise<KeptInBox> {
  const theirs = findTheirs(repo, order)
  if (theirs === null && !(await mayDiffer(repo, order))) return { refused: [], unimported: null }
  return keepNow(repo, order, theirs)
}

/** The worktree gets what others have committed on its branch since it was last looked at. */
export async function takeInBox(repo: Repo, place: BoxedPlace): Promise<void> {
  const theirs = findTheirs(repo, place)
  if (theirs === null) return
  const message = `WIP: what was left before ${theirs.commit.slice(0, 10)} was taken in`
  await keepNow(repo, { ...place, message, identity: identityOf(repo) }, theirs)
}

async function keepNow(repo: Repo, order: BoxedKeeping, theirs: Theirs | null): Promise<KeptInBox> {
  const { level, message, identity } = order
  const git = await readyGit(repo, order, theirs)
  const answer = await runInside(repo, { git, level }, { ...NOTHING_INSIDE, message, identity, theirs })
  passStep(repo.env, 'left-committed')
  const imported = await importFrom(repo, git, level)
  const unimported = imported.refused.length === 0 ? null : imported.refused.join('; ')
  if (typeof answer === 'string')
    return { refused: [], unimported: `what it left could not be committed in its box: ${answer}` }
  const refused = answer.left.map(({ path, why }) => ({ path, why }))
  if (theirs === null || answer.conflict === null) return { refused, unimported }
  return { refused, unimported: describeConflict(theirs, answer.conflict, imported.kept) }
}

function describeConflict(
  { branch, commit }: Theirs,
  { own, files }: { own: string; files: string[] },
  kept: readonly string[],
): string {
  const name = files.length === 0 ? 'the same files' : files.slice(0, 10).join(', ')
  const place = kept.find((ref) => ref.includes(`/${own.slice(0, 10)}/`))
  return `${commit.slice(0, 10)}, which others have put on ${branch} meanwhile, and the agent's ${own.slice(0, 10)} conflict in ${name}; ${commit.slice(0, 10)} is on the branch, and ${own.slice(0, 10)} is kept as ${place ?? `${branch}.agent`}`
}

/** What others have put on the branch since the worktree's files were its last commit; null: nothing. */
function findTheirs(repo: Repo, { branch, worktree }: BoxedPlace): Theirs | null {
  const git = openPrivateGit(privateFolder(repo, repo.env, worktree))
  const commit = readRef(repo, `refs/heads/${branch}`)
  if (git === null || !isAhead(repo, commit, git.about.tip)) return null
  const base = git.about.tip
  return { branch, commit, base, isMadeHere: isMadeIn(repo, { worktree, commit, base }) }
}

function isMadeIn(repo: Repo, { worktree, commit, base }: { worktree: string; commit: string; base: string }): boolean {
  const folder = adminFolder(repo, worktree)
  const made = folder === null ? new Set() : madeIn([folder])
  const lines = tryGit(repo, ['rev-list', commit, `^${base}`, '--'])
    .stdout.toString()
    .split('\n')
    .filter(Boolean)
  return lines.length > 0 && lines.every((oid) => made.has(oid))
}

/** Whether there may be something to commit. A file that a filter has changed seems to differ: the box finds out. */
async function mayDiffer(repo: Repo, { worktree }: BoxedPlace): Promise<boolean> {
  const gitDir = adminFolder(repo, worktree)
  const folder = privateFolder(repo, repo.env, worktree)
  if (gitDir !== null && openPrivateGit(folder) !== null && mayHaveStaged(folder, gitDir)) return true
  return (await listUncommitted(withoutFilters(repo, worktree))).some((change) => !isOurs(change))
}

/** That of the run's agent. After a check, or a restart without another call, the worktree has another one, or none. */
function readyGit(
  repo: Repo,
  { run, branch, worktree }: BoxedPlace,
  theirs: Theirs | null,
): PrivateGit | Promise<PrivateGit> {
  const folder = privateFolder(repo, repo.env, worktree)
  const git = openPrivateGit(folder)
  if (git !== null && git.about.run === run && git.about.branch === branch) return git
  const opened = git?.about.opened
  return makePrivateGit(repo, {
    ...{ run, branch, worktree, folder },
    ...(opened && { opened }),
    ...(theirs && { tip: theirs.base }),
  })
}
