import { commitOrNull } from '../core/ledger/stored-names.ts'
import { deliveringRun, isSetAside } from '../core/run/finished-work.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import { dependenciesOf, type Task, uidOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { isAncestor } from '../ledger/links.ts'
import { readHead, readRef } from '../platform/git/refs.ts'
import { childrenOf } from '../state/index/family-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { finishedHeadOf, othersOnBranch } from '../workspace/ledger/finished-work.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'

export interface StartPoint {
  from: string
  /** The unmerged work of predecessors, in their order. */
  merge: string[]
  base: string
}

/**
 * A task starts from the base and from the work of its predecessors that has not landed yet. `branch`: the one that it
 * works on, where other tasks may have finished their work before it.
 */
export function startPoint(view: LedgerView, task: Task, branch: string | null = null): StartPoint {
  const base = baseCommit(view)
  const before = dependenciesOf(task).flatMap((ref) => workOf(view, uidOf(ref), { base, seen: new Set([task.uid]) }))
  const heads = [...before, ...(branch === null ? [] : finishedOn(view, task, branch))]
  const unmerged = [...new Set(heads)].filter((head) => !isAncestor(view.ws.repo, head, base))
  return { from: base, merge: unmerged, base }
}

/** The commits on a shared branch that are the finished work of other tasks, and so not part of this one's. */
function finishedOn(view: LedgerView, task: Task, branch: string): string[] {
  const tip = readRef(view.ws.repo, `refs/heads/${branch}`)
  if (tip === null) return []
  return othersOnBranch(view, task, branch)
    .flatMap((other) => deliveringRun(other)?.head ?? [])
    .filter((head) => isAncestor(view.ws.repo, head, tip))
}

/** The tip of the ledger's branch, otherwise the commit that is checked out. */
export function baseCommit(view: LedgerView): string {
  const { repo, ledger } = view.ws
  const tip = readRef(repo, `refs/heads/${ledger}`) ?? readHead(repo).oid
  if (tip !== null && tip !== repo.zeroOid) return tip
  throw new UserError('NO_COMMIT', 'There is no commit yet to start from', {
    hint: 'git commit --allow-empty -m "Start"',
  })
}

interface Walk {
  base: string
  /** Tasks that were looked at: a skipped task leads to what it depends on. */
  seen: Set<string>
}

function workOf(view: LedgerView, uid: string, walk: Walk): string[] {
  const task = taskOf(view.ws.state, view.row.lid, uid)
  if (task === null || !isFinished(task) || walk.seen.has(uid)) return []
  walk.seen.add(uid)
  const head = finishedHeadOf(view, task) ?? (task.status === 'completed' ? commitOrNull(task.closed_commit) : null)
  const own = head === null ? workOfChildren(view, uid, walk) : hasLanded(view, task, head, walk.base) ? [] : [head]
  // The work of a task that was set aside is not there, but that of its predecessors is.
  return isSetAside(task) ? [...dependenciesOf(task).flatMap((ref) => workOf(view, uidOf(ref), walk)), ...own] : own
}

/** The work of a parent is the work of its children. */
function workOfChildren(view: LedgerView, uid: string, walk: Walk): string[] {
  return childrenOf(view.ws.state, view.row.lid, uid).flatMap((child) => workOf(view, child.uid, walk))
}

/** By cherry-pick or squash: the base has the work in other commits. */
function hasLanded({ ws }: LedgerView, { landings }: Task, head: string, base: string): boolean {
  return landings.some((each) => {
    const commit = each.outcome === 'landed' ? each.commits?.at(-1) : undefined
    if (commit === undefined) return false
    // Tasks of one branch land together, so the tip that has landed can be a later one.
    const hasHead = each.head === head || each.rebased === head || isAncestor(ws.repo, head, each.head)
    return hasHead && isAncestor(ws.repo, commit, base)
  })
}
