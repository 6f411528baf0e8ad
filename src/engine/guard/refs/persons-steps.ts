/**
 * What people do in their own checkouts. Git logs each step of a branch there twice: in the log of the branch, and in that
 * of HEAD. An agent works in another checkout. What it does to a branch is in no log of HEAD of a person's checkout.
 */
import { join } from 'node:path'
import { listFolders, readTextIfThere } from '../../../platform/files/files.ts'
import { realPath } from '../../../platform/files/inspect-file.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { isOwnLock } from '../../../platform/git/worktrees.ts'
import { MADE_THERE } from '../../isolation/private-git/worktree-state.ts'
import { commitsBetween } from '../../worktree/commit-history.ts'

/**
 * Git's folders of the checkouts in which people work: without those of runs, which gza has locked, and without that of the
 * agent itself. `cwd`: where it works.
 */
export function personsCheckouts(repo: Repo, cwd: string | null): string[] {
  if (!repo.hasFileRefs) return []
  const isOfRun = (folder: string) => isOwnLock(readTextIfThere(join(folder, 'locked')) ?? '')
  const all = [repo.commonDir, ...linkedFolders(repo).filter((folder) => !isOfRun(folder))]
  if (cwd === null || cwd !== repo.workTree) return all
  const own = realPath(repo.gitDir)
  return all.filter((folder) => realPath(folder) !== own)
}

function linkedFolders({ commonDir }: Repo): string[] {
  return listFolders(join(commonDir, 'worktrees'))
}

export interface Move {
  ref: string
  from: string
  to: string | null
}

/** Did people move the branch, in every step from the old commit to the new one? */
export function isMovedByPeople(repo: Repo, checkouts: readonly string[], move: Move): boolean {
  return move.to !== null && areOfPeople(readSteps(join(repo.commonDir, 'logs', move.ref)), checkouts, move)
}

/** `steps`: those of the branch. */
function areOfPeople(steps: readonly Step[], checkouts: readonly string[], { ref, from, to }: Move): boolean {
  if (checkouts.length === 0) return false
  const heads = checkouts.flatMap((folder) => readSteps(join(folder, 'logs/HEAD')))
  const branch = ref.replace('refs/heads/', '')
  let value = to
  for (const step of steps.toReversed()) {
    if (step.to !== value || !heads.some((head) => isSameStep(branch, step, head))) return false
    if (step.from === from) return true
    value = step.from
  }
  return false
}

/** A rebase writes its two lines one after the other, and the clock may tick in between. */
const SAME_MOMENT_SECONDS = 2

function isSameStep(branch: string, step: Step, head: Step): boolean {
  if (step.to !== head.to || Math.abs(step.at - head.at) > SAME_MOMENT_SECONDS) return false
  // `git switch -C`.
  if (/^branch: Reset to /.test(step.why)) return head.why.endsWith(` to ${branch}`)
  return MOVING.test(step.why) && MOVING.test(head.why)
}

/** Not `checkout`: that brings HEAD to a commit which the branch has got in some other way. */
const MOVING = /^(commit|merge|pull|rebase|reset|cherry-pick|revert|am)\b/

/** The commits that were made there. What only came by a fast-forward, a reset or a switch was made elsewhere. */
export function madeIn(folders: readonly string[]): Set<string> {
  const steps = folders.flatMap((folder) => readSteps(join(folder, 'logs/HEAD')))
  return new Set(steps.filter(({ why }) => MAKING.test(why) && !TAKING.test(why)).map(({ to }) => to))
}

/** `commit (amend): …`, `merge feature: Merge made by …`, `rebase (pick): …`. */
const MAKING =
  /^((commit|cherry-pick|revert|am)\b|(rebase|pull) .*\((pick|reword|edit|squash|fixup|continue)\)|(merge|pull) .*: Merge made\b)/
const TAKING = /^(cherry-pick|rebase[^:]*): fast-forward$/i

/** The same for the worktree that has the branch checked out, and for the box of its agent. */
export function madeOn(repo: Repo, ref: string): Set<string> {
  return madeInAny(
    repo,
    linkedFolders(repo).filter((folder) => isOn(folder, ref)),
  )
}

/** The same for all other worktrees. */
export function madeElsewhere(repo: Repo, ref: string): Set<string> {
  return madeInAny(
    repo,
    linkedFolders(repo).filter((folder) => !isOn(folder, ref)),
  )
}

function madeInAny(repo: Repo, folders: readonly string[]): Set<string> {
  if (!repo.hasFileRefs) return new Set()
  const steps = folders.flatMap((folder) => readSteps(join(folder, 'logs/HEAD')))
  const imports = steps.filter(({ why }) => why.startsWith('gza: import ') && why.endsWith(MADE_THERE))
  return madeIn(folders).union(new Set(imports.flatMap(({ from, to }) => commitsBetween(repo, from, to))))
}

function isOn(folder: string, ref: string): boolean {
  return readTextIfThere(join(folder, 'HEAD'))?.trim() === `ref: ${ref}`
}

/** Has the branch only got another name? Git takes its log along. */
export function isRenamed(repo: Repo, { ref, from }: Move, { checkouts, added }: People): boolean {
  return added.some((name) => {
    const steps = readSteps(join(repo.commonDir, 'logs', name))
    const at = steps.findLastIndex(({ why }) => why === `Branch: renamed ${ref} to ${name}`)
    const to = steps[at]?.from
    if (to === undefined) return false
    return to === from || areOfPeople(steps.slice(0, at), checkouts, { ref, from, to })
  })
}

export interface People {
  /** Git's folders of the checkouts in which they work. */
  checkouts: readonly string[]
  /** Refs that are new. */
  added: readonly string[]
}

/** One line of a log of git. */
export interface Step {
  from: string
  to: string
  /** Unix seconds. */
  at: number
  why: string
}

export function readSteps(path: string): Step[] {
  return (readTextIfThere(path) ?? '').split('\n').flatMap((line) => {
    const [, from, to, at, why = ''] = /^([0-9a-f]+) ([0-9a-f]+) .* (\d+) [-+]\d+(?:\t(.*))?$/.exec(line) ?? []
    return from === undefined || to === undefined ? [] : [{ from, to, at: Number(at), why }]
  })
}
