import type { Task } from '../core/task/task.ts'
import { dependenciesOf, uidOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { isAncestor } from '../ledger/links.ts'
import { readHead, readRef } from '../platform/git/refs.ts'
import { childrenOf } from '../state/index/family-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'

export interface StartPoint {
  from: string
  /** The unmerged work of predecessors, in their order. */
  merge: string[]
  base: string
}

/** A task starts from the base and from the work of its predecessors that has not landed yet. */
export function startPoint(view: LedgerView, task: Task): StartPoint {
  const base = baseCommit(view)
  const heads = dependenciesOf(task).flatMap((ref) => workOf(view, uidOf(ref), base))
  const unmerged = heads.filter((head) => !isAncestor(view.ws.repo, head, base))
  return { from: base, merge: [...new Set(unmerged)], base }
}

/** The tip of the ledger's branch, otherwise the commit that is checked out. */
export function baseCommit(view: LedgerView): string {
  const { repo, ledger } = view.ws
  const tip = readRef(repo, `refs/heads/${ledger}`) ?? readHead(repo).oid
  if (tip !== null && tip !== repo.zeroOid) return tip
  throw new UserError('NO_COMMIT', 'There is no commit yet that work could start from', {
    hint: 'git commit --allow-empty -m "Start"',
  })
}

function workOf(view: LedgerView, uid: string, base: string): string[] {
  const task = taskOf(view.ws.state, view.row.lid, uid)
  if (task === null || task.status !== 'completed') return []
  const tip = task.branch === undefined ? null : readRef(view.ws.repo, `refs/heads/${task.branch}`)
  const head = tip ?? task.closed_commit
  // The work of a parent is the work of its children.
  if (head === null)
    return childrenOf(view.ws.state, view.row.lid, uid).flatMap((child) => workOf(view, child.uid, base))
  return hasLanded(view, task, head, base) ? [] : [head]
}

/** By cherry-pick or squash: the base has the work in other commits. */
function hasLanded({ ws }: LedgerView, { landings }: Task, head: string, base: string): boolean {
  const landing = landings.findLast(
    (each) => each.outcome === 'landed' && (each.head === head || each.rebased === head),
  )
  const commit = landing?.commits?.at(-1)
  return commit !== undefined && isAncestor(ws.repo, commit, base)
}
