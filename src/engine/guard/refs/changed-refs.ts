/** What has happened to branches, tags and the stash while an agent or a check ran, apart from what is ordinary. */

import { isAncestor } from '../../../ledger/links.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryGit } from '../../../platform/git/git.ts'
import { readRef } from '../../../platform/git/refs.ts'
import { isUnlogged, madeInCheckouts, switchedUnlogged } from './head-state.ts'
import { type OwnBranch, type RefsState, readRefsState, STASH } from './keep-refs.ts'

export interface RefChange {
  ref: string
  from: string
  /** Null: it is gone. */
  to: string | null
  why: 'deleted' | 'not-forward' | 'unlanded' | 'unlogged' | 'dropped' | 'switched' | 'outside' | 'put-back'
  /** For an entry of the stash. */
  message?: string
}

export interface Surroundings {
  own: OwnBranch | null
  /** Branches of other runs, and those of tasks that gza itself has moved meanwhile. */
  recorded: () => readonly string[]
  /** Bases on which gza is landing at this moment. */
  landing: () => readonly string[]
  /** Commits of runs that have not landed, except those on one branch. They belong into no branch but their own. */
  unlanded: (except?: string) => ReadonlySet<string>
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
 * to no run which has not landed.
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
      ...droppedEntries(before, now),
    ],
  }
}

function judgeMoves(
  repo: Repo,
  { moved, before, now }: { moved: readonly (readonly [string, string])[]; before: RefsState; now: RefsState },
  around: Surroundings,
): RefChange[] {
  const own = around.own === null ? null : `refs/heads/${around.own.name}`
  const recorded = new Set(around.recorded().map((branch) => `refs/heads/${branch}`))
  return moved.flatMap(([ref, from]) => {
    const isOwn = ref === own
    const to = now.refs.get(ref) ?? null
    if (isOwn && around.own?.from === null) return mixedWork(repo, { ref, from, to }, around)
    if (recorded.has(ref)) return []
    const why = whyUnusual(repo, { ref, from, to }, isOwn ? null : around) ?? whyUnlogged(repo, before, { ref, to })
    return why === null ? [] : [{ ref, from, to, why }]
  })
}

/** The run's own branch: its agent may do anything with it, but commits of another run belong to the other task. */
function mixedWork(
  repo: Repo,
  { ref, from, to }: Pick<RefChange, 'ref' | 'from' | 'to'>,
  { unlanded, ledger }: Surroundings,
): RefChange[] {
  if (to === null) return []
  const others = unlanded(ref.replace('refs/heads/', ''))
  return hasAny(repo, { from, to, base: ledger }, others) ? [{ ref, from, to, why: 'unlanded' }] : []
}

function whyUnusual(
  repo: Repo,
  { ref, from, to }: Pick<RefChange, 'ref' | 'from' | 'to'>,
  around: Pick<Surroundings, 'landing' | 'unlanded'> | null,
): RefChange['why'] | null {
  if (to === null) return 'deleted'
  if (ref.startsWith('refs/tags/') || !isAncestor(repo, from, to)) return 'not-forward'
  if (around === null || isLanding(repo, ref, around.landing())) return null
  const unlanded = around.unlanded()
  return hasAny(repo, { from, to }, unlanded.difference(madeInCheckouts(repo))) ? 'unlanded' : null
}

function whyUnlogged(repo: Repo, { head }: RefsState, { ref, to }: Pick<RefChange, 'ref' | 'to'>): 'unlogged' | null {
  return to !== null && head && isUnlogged(repo, head, { ref, to }) ? 'unlogged' : null
}

function switchedHead(repo: Repo, { head }: RefsState): RefChange[] {
  const to = head ? switchedUnlogged(repo, head) : null
  return head && to !== null ? [{ ref: 'HEAD', from: head.value, to, why: 'switched' }] : []
}

/**
 * Gza is moving it at this moment, and the ledger says so only afterwards. An agent could write the ref of an intent,
 * and a check of the landing runs before there is one.
 */
function isLanding(repo: Repo, ref: string, bases: readonly string[]): boolean {
  const base = ref.replace('refs/heads/', '')
  return bases.includes(base) && readRef(repo, `refs/gza/land-intent/${base}`) !== null
}

/** `base`: what an agent takes in from there is a person's, or has landed. */
export function hasAny(
  repo: Repo,
  { from, to, base }: { from: string; to: string; base?: string },
  commits: ReadonlySet<string>,
): boolean {
  if (commits.size === 0) return false
  const without = base === undefined ? [] : [`^refs/heads/${base}`]
  const arrived = tryGit(repo, ['rev-list', '--ignore-missing', to, `^${from}`, ...without, '--'])
    .stdout.toString()
    .split('\n')
  return arrived.some((commit) => commits.has(commit))
}

function droppedEntries(before: RefsState, now: RefsState): RefChange[] {
  const there = new Set(now.stash.map(({ commit }) => commit))
  return before.stash
    .filter(({ commit }) => !there.has(commit))
    .map(({ commit, message }) => ({ ref: STASH, from: commit, to: null, why: 'dropped', message }))
}
