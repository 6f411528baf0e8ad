/** What has happened to branches, tags and the stash while an agent or a check ran, apart from what is ordinary. */

import { isAncestor } from '../../../ledger/links.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryGit } from '../../../platform/git/git.ts'
import { readRef } from '../../../platform/git/refs.ts'
import { commitsBetween } from '../../worktree/commit-history.ts'
import { isPopped } from './dropped-entries.ts'
import { isUnlogged, switchedUnlogged } from './head-state.ts'
import { type OwnBranch, type RefsState, readRefsState, STASH } from './keep-refs.ts'
import { isMovedByPeople, isRenamed, type Move, madeElsewhere, madeIn, madeOn, type People } from './persons-steps.ts'

/** On the branch of a living run. In the last two cases by a person. */
type OnRunsBranch = 'outside' | 'put-back' | 'left-out' | 'undone'

export interface RefChange {
  ref: string
  from: string
  /** Null: it is gone. */
  to: string | null
  why: 'deleted' | 'not-forward' | 'unlanded' | 'unlogged' | 'dropped' | 'switched' | OnRunsBranch
  /** For an entry of the stash. */
  message?: string
  /** As git's logs tell it, people did this in a checkout of their own, and nothing is lost. It is only noted. */
  isPersons?: true
}

/** The commits that gza knows as work of runs. */
export interface RunCommits {
  /** Of runs that have not landed, except those on one branch. They belong into no branch but their own. */
  unlanded: (except?: string) => ReadonlySet<string>
  /** Those of them that an agent is still working on. */
  running: (except?: string) => ReadonlySet<string>
  /** What the branch had when its work landed. */
  landed: (branch: string) => ReadonlySet<string>
}

export interface Surroundings extends RunCommits {
  own: OwnBranch | null
  /** Branches of other runs, and those of tasks that gza itself has moved meanwhile. */
  recorded: () => readonly string[]
  /** Bases on which gza is landing at this moment. */
  landing: () => readonly string[]
  /** Where finished work lands. */
  ledger: string
}

export interface ChangedRefs {
  changes: RefChange[]
  /** Branches and tags that became symbolic refs, with what they were. Nobody does that while working. */
  symbolic: { ref: string; from: string; target: string }[]
}

/**
 * Ordinary are: new refs, new stash entries, what gza has recorded as its own, and forward moves by commits that belong
 * to no run which has not landed. What people do in their own checkouts is noted and needs nobody.
 */
export function changedRefs(repo: Repo, before: RefsState, around: Surroundings): ChangedRefs {
  const now = readRefsState(repo)
  const moved = [...before.refs].filter(([ref, from]) => ref !== STASH && now.refs.get(ref) !== from)
  const symbolic = moved.flatMap(([ref, from]) => {
    const value = now.refs.get(ref) ?? ''
    return value.startsWith('ref:') ? [{ ref, from, target: value.slice('ref:'.length) }] : []
  })
  const isSymbolic = (ref: string) => symbolic.some((each) => each.ref === ref)
  const plain = moved.filter(([ref, from]) => !isSymbolic(ref) && !from.startsWith('ref:'))
  return {
    symbolic,
    changes: [
      ...(plain.length === 0 ? [] : judgeMoves(repo, { moved: plain, before, now }, around)),
      ...switchedHead(repo, before),
      ...droppedEntries(before, now).map((entry) => ({ ...entry, ...(isPopped(repo, entry.from) && PERSONS) })),
    ],
  }
}

interface Moves {
  moved: readonly (readonly [string, string])[]
  before: RefsState
  now: RefsState
}

function judgeMoves(repo: Repo, { moved, before, now }: Moves, around: Surroundings): RefChange[] {
  const own = around.own === null ? null : `refs/heads/${around.own.name}`
  const recorded = new Set(around.recorded().map((branch) => `refs/heads/${branch}`))
  const added = [...now.refs.keys()].filter((ref) => !before.refs.has(ref))
  const people = { checkouts: before.checkouts ?? [], added }
  return moved.flatMap(([ref, from]) => {
    const isOwn = ref === own
    const move = { ref, from, to: now.refs.get(ref) ?? null }
    if (isOwn && around.own?.from === null) return mixedWork(repo, move, around)
    if (recorded.has(ref)) return []
    const judged = isOwn ? judgeOwn(repo, move, people) : judgeMove(repo, move, { ...around, ...people })
    if (judged !== null) return [{ ...move, ...judged }]
    return isUnloggedMove(repo, before, move) ? [{ ...move, why: 'unlogged' as const }] : []
  })
}

/** The run's own branch: its agent may do anything with it, but commits of another run belong to the other task. */
function mixedWork(repo: Repo, { ref, from, to }: Move, { unlanded, running, ledger }: Surroundings): RefChange[] {
  if (to === null) return []
  const branch = ref.replace('refs/heads/', '')
  const others = unlanded(branch)
  if (others.size === 0) return []
  // Two agents may make the same commit in the same second.
  const shared = madeOn(repo, ref).intersection(others)
  const taken = shared.size === 0 ? shared : running(branch).difference(madeElsewhere(repo, ref))
  return hasAny(repo, { from, to, base: ledger }, others.difference(shared.difference(taken)))
    ? [{ ref, from, to, why: 'unlanded' }]
    : []
}

type Judgement = Pick<RefChange, 'why' | 'isPersons'>

/** The branch of a person's own tree, on which the agent works. From a box only the person can move it elsewhere. */
function judgeOwn(repo: Repo, move: Move, { checkouts }: People): Judgement | null {
  const backward = notForward(repo, move)
  return backward === null ? null : { ...backward, ...(isMovedByPeople(repo, checkouts, move) && PERSONS) }
}

/** Null: it is ordinary. */
function judgeMove(repo: Repo, move: Move, around: Surroundings & People): Judgement | null {
  const { ref, from, to } = move
  if (to === null) return { why: 'deleted', ...(isNameOnly(repo, move, around) && PERSONS) }
  if (ref.startsWith('refs/tags/') && !isCommit(repo, from)) return { why: 'not-forward' }
  const isByPeople = isMovedByPeople(repo, around.checkouts, move)
  const backward = notForward(repo, move)
  if (backward !== null && !isByPeople) return backward
  if (!isLanding(repo, ref, around.landing())) {
    // The commits of a task belong on its own branch. What the base has got is judged there.
    const branch = ref.replace('refs/heads/', '')
    const base = ref === `refs/heads/${around.ledger}` ? {} : { base: around.ledger }
    const gotAny = (commits: ReadonlySet<string>) =>
      hasAny(repo, { from, to, ...base }, commits.difference(madeIn(around.checkouts)))
    if (gotAny(isByPeople ? around.running(branch) : around.unlanded(branch))) return { why: 'unlanded' }
    // People also merge finished work by hand.
    if (isByPeople && gotAny(around.unlanded(branch))) return { why: 'unlanded', ...PERSONS }
  }
  return backward && { ...backward, ...PERSONS }
}

const PERSONS = { isPersons: true } as const

function notForward(repo: Repo, { from, to }: Move): Judgement | null {
  if (to === null) return { why: 'deleted' }
  return isAncestor(repo, from, to) ? null : { why: 'not-forward' }
}

/** The branch is gone and nothing of it: its work has landed, with what came after this, or it has another name now. */
function isNameOnly(repo: Repo, move: Move, around: Surroundings & People): boolean {
  if (move.ref === `refs/heads/${around.ledger}`) return false
  if (isRenamed(repo, move, around)) return true
  const landed = [...around.landed(move.ref.replace('refs/heads/', ''))]
  return landed.includes(move.from) || landed.some((tip) => isAncestor(repo, move.from, tip))
}

/** An annotated tag is an object of its own, which a move would lose. */
function isCommit(repo: Repo, oid: string): boolean {
  return tryGit(repo, ['cat-file', '-t', oid]).stdout.toString() === 'commit\n'
}

function isUnloggedMove(repo: Repo, { head }: RefsState, { ref, to }: Move): boolean {
  return to !== null && head != null && isUnlogged(repo, head, { ref, to })
}

function switchedHead(repo: Repo, { head }: RefsState): RefChange[] {
  const to = head ? switchedUnlogged(repo, head) : null
  return head && to !== null ? [{ ref: 'HEAD', from: head.value, to, why: 'switched' }] : []
}

/**
 * Gza is moving it at this moment, and the ledger has it only afterwards. An agent could write the ref of an intent,
 * and a check of the landing runs before there is one.
 */
function isLanding(repo: Repo, ref: string, bases: readonly string[]): boolean {
  const base = ref.replace('refs/heads/', '')
  return bases.includes(base) && readRef(repo, `refs/gza/land-intent/${base}`) !== null
}

/** `base`: what is taken in from there is a person's, or has landed. */
export function hasAny(
  repo: Repo,
  { from, to, base }: { from: string; to: string; base?: string },
  commits: ReadonlySet<string>,
): boolean {
  const isArrived = commits.size > 0 && commitsBetween(repo, from, to).some((commit) => commits.has(commit))
  if (!isArrived || base === undefined) return isArrived
  const left = tryGit(repo, ['rev-list', '--ignore-missing', to, `^${from}`, `^refs/heads/${base}`, '--'])
  return left.stdout
    .toString()
    .split('\n')
    .some((commit) => commits.has(commit))
}

function droppedEntries(before: RefsState, now: RefsState): RefChange[] {
  const there = new Set(now.stash.map(({ commit }) => commit))
  return before.stash
    .filter(({ commit }) => !there.has(commit))
    .map(({ commit, message }) => ({ ref: STASH, from: commit, to: null, why: 'dropped', message }))
}
