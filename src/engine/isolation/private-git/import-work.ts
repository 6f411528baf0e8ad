import { removeGitPipes } from '../../../platform/files/untrusted/remove-pipes.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { type GitPlace, gitError } from '../../../platform/git/git.ts'
import { hasLoose } from '../../../platform/git/objects/read-loose.ts'
import { placeAt, tryOwnGitAsync } from '../../../platform/git/own-git.ts'
import { readRefsIn } from '../../../platform/git/ref-files.ts'
import { readRef } from '../../../platform/git/refs.ts'
import { withoutFilters } from '../../../platform/git/settings/without-filters.ts'
import { openWorkTree } from '../../../platform/git/worktrees.ts'
import { passStep } from '../../../platform/processes/crash-point.ts'
import { commitsBetween, contains } from '../../worktree/commit-history.ts'
import { clearStaleLocks } from '../../worktree/stale-locks.ts'
import { findFault, type WorktreeFault } from '../../worktree/worktree-fault.ts'
import { carryLoose } from './carry-loose.ts'
import { type BoxCommand, BRANCH, fetchWork, nameOf } from './fetch-work.ts'
import { importLfs } from './import-lfs.ts'
import { importNotes, notesOf } from './import-notes.ts'
import { bringToPerson, type Target } from './own-tree.ts'
import {
  type About,
  gitIn,
  importedCommit,
  incomingRef,
  keptRef,
  openPrivateGit,
  type PrivateGit,
  writeAbout,
} from './private-git.ts'
import { type PrivateState, privateFault, readPrivateState } from './private-state.ts'
import { forgetRefs } from './remove.ts'
import { type LooseEnd, looseEnds } from './unimported.ts'
import { MADE_THERE } from './worktree-state.ts'

export interface Imported {
  /** The commit of the real branch afterwards. */
  head: string
  /** Not null: what the agent left is not on its branch with everything finished. */
  fault: WorktreeFault | null
  /** What nobody does while working. Then the branch was not imported. */
  tampering: string[]
  /** Refs of the real repository that keep what was committed elsewhere than on the branch. */
  kept: string[]
  /** Why something was not imported. It stays in the private folder. */
  refused: string[]
  /** The agent has rewritten commits of a person's branch that were there before. They are as they were. */
  isRewound?: true
}

/**
 * If others have moved the branch on: the agent's work is kept beside it, or it waits until it was brought together.
 * `at-work`: the agent is not finished, and what it has elsewhere may be gone in the end. Nothing is kept yet.
 */
export type Moved = 'refuse' | 'wait' | 'at-work'

/** Others have moved the branch on from the commit that the private folder knows. */
export function isAhead(repo: Repo, now: string | null, tip: string): now is string {
  return now !== null && now !== tip && contains(repo, now, tip)
}

/**
 * Brings the task's branch from its private git folder into the real repository, after a phase and before its result
 * counts. What the agent left uncommitted was committed in the box before. It can be repeated after a crash at any
 * point: the private folder is the source until the real branch, the index and `about.json` agree with it.
 */
export async function importWork(
  repo: Repo,
  { folder }: PrivateGit,
  box: BoxCommand,
  moved: Moved = 'refuse',
): Promise<Imported> {
  // Read again: an earlier call may have moved the tip.
  const git = openPrivateGit(folder)
  if (git === null || git.about.branch === null) throw new Error(`nothing can be imported from ${folder}`)
  const { branch, persons } = git.about
  const before = readRef(repo, `refs/heads/${branch}`)
  const state = readPrivateState(folder)
  // An agent at work could lead this elsewhere with a link.
  if (moved !== 'at-work') await removeGitPipes(gitIn(folder))
  const planned = planImport(repo, git, state, branch)
  const plan = moved === 'at-work' ? { ...planned, ends: [] } : planned
  const refused = [
    ...plan.refused,
    ...importLfs(repo, git).map((name) => `LFS object ${name}: its content is not what its name says`),
  ]
  passStep(repo.env, 'import-stored')
  const workTree = openWorkTree(repo, git.about.worktree)
  // In a person's own tree the locks are the person's.
  if (workTree !== null && persons === undefined) clearStaleLocks(workTree, branch)
  const isNew =
    plan.own !== null && plan.own !== importedCommit(git.about) && (persons !== undefined || plan.own !== before)
  const isLater = moved === 'wait' && isAhead(repo, before, git.about.tip)
  const isFetched = isNew && !isLater
  const order = {
    ...git,
    before,
    branch: isFetched ? branch : null,
    own: plan.own,
    ends: plan.ends,
    notes: isFetched ? notesOf(git, state) : null,
    isAtWork: moved === 'at-work',
  }
  const hasNews = order.branch !== null || plan.ends.length > 0
  const done = hasNews ? await fetchAndMove(repo, order, box) : NOTHING_MOVED
  const head = readRef(repo, `refs/heads/${branch}`)
  if (persons === undefined && head !== null && head === plan.own && head !== git.about.tip)
    await follow(repo, git, { branch, head })
  return {
    head: head ?? git.about.tip,
    // What the person does in the own tree meanwhile is not the agent's.
    fault:
      privateFault(state, branch) ??
      (persons === undefined ? findFault(openWorkTree(repo, git.about.worktree), branch) : null),
    tampering: plan.tampering,
    kept: done.kept,
    refused: [...refused, ...done.refused],
    ...(done.isRewound && { isRewound: true }),
  }
}

interface ImportPlan {
  /** The branch's commit in the private folder; null: the branch is not imported. */
  own: string | null
  ends: LooseEnd[]
  tampering: string[]
  refused: string[]
}

function planImport(repo: Repo, git: PrivateGit, state: PrivateState, branch: string): ImportPlan {
  const ref = `refs/heads/${branch}`
  if (state.odd.length > 0) {
    const tampering = state.odd.map((name) => `${name} in the private git folder is not a ref of git`)
    return { own: null, ends: [], tampering, refused: tampering }
  }
  const ends = looseEnds(repo, git, state)
  const value = state.refs.get(ref) ?? null
  if (!value?.startsWith('ref:')) return { own: value, ends, tampering: [], refused: [] }
  const tampering = [`${ref} became a symbolic ref to ${value.slice('ref:'.length)}; it is as before`]
  return { own: null, ends, tampering, refused: [] }
}

type RefsMoved = Pick<Imported, 'kept' | 'refused' | 'isRewound'>

const NOTHING_MOVED: RefsMoved = { kept: [], refused: [] }

interface Fetched extends PrivateGit {
  before: string | null
  branch: string | null
  /** The branch's commit in the private folder. */
  own: string | null
  ends: readonly LooseEnd[]
  notes: LooseEnd | null
  isAtWork: boolean
}

/** If what is elsewhere cannot be fetched, the branch still is. */
async function fetchAndMove(repo: Repo, order: Fetched, box: BoxCommand): Promise<RefsMoved> {
  const { branch, notes, own } = order
  const ends = [...order.ends, ...(notes === null ? [] : [notes])]
  if (branch !== null && own !== null && ends.length === 0 && (await carryLoose(repo, order, own))) {
    passStep(repo.env, 'import-fetched')
    return moveRefs(repo, order, own)
  }
  const why = await fetchWork(repo, order, { branch, ends, box })
  passStep(repo.env, 'import-fetched')
  if (why === null) {
    if (notes !== null) importNotes(repo, order.about, notes)
    return moveRefs(repo, order)
  }
  if (branch === null || ends.length === 0) return { kept: [], refused: [why] }
  const second = await fetchAndMove(repo, { ...order, ends: [], notes: null }, box)
  return { ...second, refused: [...second.refused, `${ends.map(({ name }) => name).join(', ')}: ${why}`] }
}

/**
 * All refs in one step, except for those that go: a deletion needs the lock of packed refs, which a killed git may have
 * left. A branch that cannot be moved stays, and the agent's is kept beside it: somebody has moved it meanwhile, or the
 * agent has rewritten what is not its own. `carried`: the branch's commit, if it came without incoming refs.
 */
async function moveRefs(repo: Repo, order: Fetched, carried?: string): Promise<RefsMoved> {
  const { about, before, ends } = order
  const { run, worktree } = about
  const incoming = readRefsIn(repo, [incomingRef(run, '')])
  const head = carried ?? incoming.get(incomingRef(run, BRANCH))
  const target = order.branch === null || head === undefined ? null : targetOf(repo, about, { before, head })
  const why = target !== null && 'why' in target ? target.why : null
  // While the agent is at work, it is tried again.
  const isKept = why !== null && !order.isAtWork
  const beside = !isKept || head === undefined ? [] : [{ name: `heads/${order.branch}`, source: '', oid: head }]
  const kept = [...ends, ...beside].map((end) => ({ ref: keptRef(run, nameOf(end)), oid: end.oid }))
  const to = target !== null && 'to' in target ? target.to : null
  const lines = [
    ...(to === null || to === before ? [] : [`update refs/heads/${order.branch}\0${to}\0${before}\0`]),
    ...kept.map(({ ref, oid }) => `update ${ref}\0${oid}\0\0`),
  ]
  const isMade = carried !== undefined || (head !== undefined && isMadeThere(repo, order, head))
  const args = ['update-ref', '--create-reflog', '-m', reasonOf(about, isMade), '--stdin', '-z']
  // In the worktree, so that the log of its HEAD has the step too.
  const place = openWorkTree(repo, worktree) === null ? repo : placeAt(repo, worktree)
  const exit = await tryOwnGitAsync(place, args, lines.join(''))
  if (to !== null && /but expected/.test(exit.stderr))
    return moveRefs(repo, { ...order, before: readRef(repo, `refs/heads/${order.branch}`) }, carried)
  if (exit.code !== 0) throw gitError(args, exit)
  forgetRefs(repo, [...incoming.keys()])
  passStep(repo.env, 'import-moved')
  if (about.persons !== undefined && to !== null && head !== undefined) {
    writeAbout(order.folder, { ...about, tip: to, persons: { ...about.persons, own: head } })
    passStep(repo.env, 'imported')
  }
  return {
    kept: kept.map(({ ref }) => ref),
    refused: why === null ? [] : [why],
    ...(target !== null && 'isRewound' in target && { isRewound: true as const }),
  }
}

/** For git's log. In a person's own tree the commits were made here, and not landed (`src/ledger/arrived-commits.ts`). */
function reasonOf({ run, persons }: About, isMade: boolean): string {
  return persons === undefined ? `gza: import ${run}${isMade ? MADE_THERE : ''}` : `commit: import ${run}`
}

/**
 * Git in a box cannot touch the real objects, so it writes its own copy of each commit that it makes, also if another agent
 * has made the same. What the agent has only taken from there is not in its folder.
 */
function isMadeThere(repo: Repo, { folder, about }: PrivateGit, head: string): boolean {
  return commitsBetween(repo, about.tip, head).every((commit) => hasLoose(gitIn(folder), commit))
}

/** What the branch becomes, or why it stays. In a person's own tree the index follows first. */
function targetOf(repo: Repo, about: About, found: { before: string | null; head: string }): Target {
  if (about.persons !== undefined) return bringToPerson(repo, { ...about, persons: about.persons }, found)
  // In the box the agent's commits may have been brought together with those of others.
  if (found.before === about.tip || (found.before !== null && contains(repo, found.head, found.before)))
    return { to: found.head }
  return { why: `${about.branch} was moved meanwhile, and not by its agent` }
}

/** The index of the real worktree follows its branch. Its files are already what the agent made of them. */
async function follow(repo: Repo, git: PrivateGit, to: { branch: string; head: string }): Promise<void> {
  const { worktree } = git.about
  const workTree = openWorkTree(repo, worktree)
  if (workTree !== null && isOn(findFault(workTree, to.branch))) await resetIndex(withoutFilters(repo, worktree))
  passStep(repo.env, 'import-reset')
  writeAbout(git.folder, { ...git.about, tip: to.head })
  passStep(repo.env, 'imported')
}

/** Resetting the index also forgets a merge that was unfinished when the private folder was made. */
function isOn(fault: WorktreeFault | null): boolean {
  return fault === null || (fault.kind === 'unfinished' && fault.what !== 'rebase' && fault.what !== 'bisect')
}

/**
 * Not `read-tree`, which loses the marks of a sparse checkout. Without a refresh, which would run filters on the agent's
 * files; git before 2.36 has no option for that and does none with `--quiet`. Git still compares files that changed in
 * the moment in which the index was written.
 */
async function resetIndex(place: GitPlace): Promise<void> {
  const args = ['reset', '--quiet', '--mixed', '--no-refresh']
  const exit = await tryOwnGitAsync(place, args)
  const again = exit.code === USAGE ? await tryOwnGitAsync(place, args.slice(0, -1)) : exit
  if (again.code !== 0) throw gitError(args, again)
}

const USAGE = 129
