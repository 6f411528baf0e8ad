/**
 * The last part of a landing, after its intent was written: the base moves, the ledger records it, the commits get
 * their notes. Each step can be repeated by a process that finds it half done.
 */

import { isSetAside } from '../core/run/finished-work.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import type { Task } from '../core/task/task.ts'
import { shellWord } from '../core/text/shell-word.ts'
import { contains } from '../engine/worktree/commit-history.ts'
import { readRef, swapRefs } from '../platform/git/refs.ts'
import { checkoutsOf } from '../platform/git/worktrees.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { reviewsOf } from '../state/index/dependency-rows.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { noteCommits } from '../workspace/ledger/link-commits.ts'
import { readOtherLedger } from '../workspace/ledger/read-ledger.ts'
import { alsoFor, type Workspace } from '../workspace/workspace.ts'
import { type Followed, type FollowResult, followBase, settleCheckout, takeBack, whyBusy } from './build/follow-base.ts'
import type { Side } from './build/half-followed.ts'
import { clearIntent, type Intent, writeIntent } from './build/intent.ts'
import { recordLanded } from './record-landing.ts'

export type LandingEnd =
  | { kind: 'landed'; tasks: Task[] }
  /** A checkout of the base prevents it from moving. Everything is verified and waits. */
  | { kind: 'delayed'; path: string; why: string }
  /** The base has moved, or a task has changed: the landing must be built again. */
  | { kind: 'stale' }

/** Continues an earlier landing, whatever state it is in. */
export function resumeLanding(ws: Workspace, intent: Intent, options: FinishOptions): LandingEnd {
  const there = alsoFor(ws, { ledger: intent.ledger })
  const tip = readRef(ws.repo, `refs/heads/${intent.base}`)
  const isBegun = isBegunIn(intent)
  if (tip !== null && contains(ws.repo, tip, intent.to)) return recordMoved(there, intent, options)
  if (tip === intent.from) {
    if (isStillWanted(there, intent)) return finishLanding(there, intent, { ...options, isBegun })
    const stuck = isBegun ? settleCheckouts(ws, { ...intent, isBegun }, 'from') : null
    if (stuck !== null) return { kind: 'delayed', ...stuck }
  }
  return giveUp(ws, intent, { isBegun, tip })
}

/**
 * The landing is built again. If the base has moved while a checkout followed, that checkout may have files of the
 * landing, which would look like changes of the person and keep everything from landing.
 */
function giveUp(
  { repo }: Workspace,
  intent: Intent,
  { isBegun, tip }: { isBegun: boolean; tip: string | null },
): LandingEnd {
  if (isBegun && tip !== null && tip !== intent.from)
    for (const path of checkoutsOf(repo, intent.base)) {
      const why = takeBack(repo, path, { ...intent, isBegun }, tip)
      if (why !== null) return { kind: 'delayed', path, why }
    }
  clearIntent(repo, intent.base)
  return { kind: 'stale' }
}

/** A landing that was killed may have begun to move the checkout. */
export function isBegunIn({ delayed }: Intent): boolean {
  return delayed === null || delayed.isBegun === true
}

/** The checkouts of a base whose files are not those of its branch. Returns the one that had to stay as it is. */
function settleCheckouts(ws: Workspace, followed: Followed, goal: Side): { path: string; why: string } | null {
  for (const path of checkoutsOf(ws.repo, followed.base)) {
    const why = settleCheckout(ws.repo, path, followed, goal)
    if (why !== null) return { path, why }
  }
  return null
}

export interface FinishOptions {
  deleteBranches: boolean
  /** An earlier attempt may have moved the checkout of the base in part. */
  isBegun?: boolean
}

/** For an intent that was just written, or that is still valid. */
export function finishLanding(ws: Workspace, intent: Intent, options: FinishOptions): LandingEnd {
  const checkouts = checkoutsOf(ws.repo, intent.base)
  const [path, another] = checkouts
  if (path === undefined) return recordMoving(ws, intent, options)
  const before = { ...intent, isBegun: options.isBegun ?? false }
  const { why, isBegun } = another === undefined ? followBase(ws.repo, path, before) : notAlone(before, another)
  if (why === null) return recordMoved(ws, intent, options)
  const tip = readRef(ws.repo, `refs/heads/${intent.base}`)
  if (tip !== intent.from) return giveUp(ws, intent, { isBegun, tip })
  const hasLeft = !checkoutsOf(ws.repo, intent.base).includes(path)
  if (hasLeft) return finishLanding(ws, intent, { ...options, isBegun: false })
  const isSeen = another === undefined && whyBusy(ws.repo, path, { ...intent, isBegun }) !== null
  writeIntent(ws.repo, { ...intent, delayed: { path, why, isSeen, isBegun } })
  return { kind: 'delayed', path, why }
}

function notAlone({ isBegun }: Followed, another: string): FollowResult {
  const way = `git -C ${shellWord(another)} switch --detach leaves one`
  return { why: `is not the only checkout of the base, ${another} is another; ${way}`, isBegun }
}

/** The base is not checked out anywhere, so base and ledger move in one transaction. */
function recordMoving(ws: Workspace, intent: Intent, options: FinishOptions): LandingEnd {
  const tasks = recordLanded(ws, intent, { movesBase: true })
  if (tasks === null) {
    clearIntent(ws.repo, intent.base)
    return { kind: 'stale' }
  }
  passStep(ws.env, 'land-moved')
  return noteLanded(ws, intent, tasks, options)
}

/** The base has the work already; the ledger may not have recorded it yet. */
function recordMoved(ws: Workspace, intent: Intent, options: FinishOptions): LandingEnd {
  passStep(ws.env, 'land-moved')
  const tasks = recordLanded(ws, intent, { movesBase: false }) ?? []
  return noteLanded(ws, intent, tasks, options)
}

function noteLanded(ws: Workspace, intent: Intent, tasks: Task[], { deleteBranches }: FinishOptions): LandingEnd {
  passStep(ws.env, 'land-recorded')
  const links = intent.works.flatMap(({ uids, commits }) =>
    tasks.filter(({ uid }) => uids.includes(uid)).flatMap((task) => commits.map((commit) => ({ task, commit }))),
  )
  noteCommits(ws, links)
  passStep(ws.env, 'land-noted')
  if (deleteBranches) dropBranches(ws, intent)
  settleArrivals(ws, intent)
  clearIntent(ws.repo, intent.base)
  passStep(ws.env, 'land-cleared')
  return { kind: 'landed', tasks }
}

/**
 * A person may switch to the base in the moment in which it moves. Git then has the files of before, and they would look
 * like a revert of the work.
 */
function settleArrivals(ws: Workspace, intent: Intent): void {
  if (readRef(ws.repo, `refs/heads/${intent.base}`) !== intent.to) return
  settleCheckouts(ws, { ...intent, isBegun: true }, 'to')
}

/** Deletes only branches whose commits have all landed and that are not checked out anywhere. */
function dropBranches({ repo }: Workspace, { base, works }: Intent): void {
  for (const { branch, head, rebased } of works) {
    const ref = `refs/heads/${branch}`
    const tip = readRef(repo, ref)
    if (branch === base || tip === null || (tip !== head && tip !== rebased)) continue
    if (checkoutsOf(repo, branch).length === 0) swapRefs(repo, [{ ref, to: null, from: tip }], `gza: landed on ${base}`)
  }
}

/** The tasks are still finished, their branches have not moved, and no edit or review has been added since. */
function isStillWanted(ws: Workspace, { ledger, works, at }: Intent): boolean {
  const view = readOtherLedger(ws, ledger)
  const find = (uid: string) => taskOf(view.ws.state, view.row.lid, uid)
  const isWanted = (uid: string, unfinished: boolean) => {
    const task = find(uid)
    if (task === null || !isFinished(task) || task.deleted || task.on_hold || isEditedSince(task, at)) return false
    if (isSetAside(task) && !unfinished) return false
    const reviews = reviewsOf(view.ws.state, view.row.lid, uid).map(find)
    return !reviews.some((review) => review?.runs.some(({ ended_at }) => ended_at !== undefined && ended_at >= at))
  }
  return works.every(({ uids, branch, head, branch_tip = head, unfinished = false }) => {
    const isUnmoved = readRef(ws.repo, `refs/heads/${branch}`) === branch_tip
    return isUnmoved && uids.every((uid) => isWanted(uid, unfinished))
  })
}

/** The request has changed, or a person has set a verdict. */
function isEditedSince({ edits }: Task, since: string): boolean {
  const counts = ['content', 'acceptance_criteria', 'final_verdict']
  return edits.some(({ field, at }) => at >= since && counts.includes(field))
}
