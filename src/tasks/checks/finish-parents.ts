import { closeTask } from '../../core/task/operations.ts'
import { isOpen, isPending } from '../../core/task/status-predicates.ts'
import { type Task, type TaskRef, uidOf } from '../../core/task/task.ts'
import { everyChildOf } from '../../state/index/family-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { Decision } from '../../workspace/ledger/change-ledger.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'

/**
 * The change with the parents that it finishes, named in its audit line. `ended`: only the end of these can finish a
 * parent.
 */
export function withFinishedParents(
  view: LedgerView,
  change: Change,
  ended = change.tasks,
): Change & { parents: Task[] } {
  const parents = finishParents(view, change.tasks, ended)
  if (parents.length === 0) return { ...change, parents }
  // A parent may have changed as well: the ledger gets each task once.
  const tasks = new Map([...change.tasks, ...parents].map((task) => [task.uid, task]))
  const subject = `${change.subject}, finishing ${parents.map(({ id }) => id).join(' ')}`
  return { tasks: [...tasks.values()], subject, parents }
}

type Change = Pick<Decision<unknown>, 'tasks' | 'subject'>

/**
 * A parent is completed when each of its children is completed or skipped, and so is its own parent. A parent that
 * somebody is working on is closed by them.
 */
function finishParents(view: LedgerView, changed: readonly Task[], ended: readonly Task[]): Task[] {
  const known: Known = {
    byUid: new Map(changed.map((task) => [task.uid, task])),
    byParent: Map.groupBy(changed, ({ parent }) => parent && uidOf(parent)),
  }
  const finished: Task[] = []
  // Checked once for all children of one change: an import may contain thousands.
  const unfinished = new Set<string>()
  const queue = [...ended]
  for (const task of queue) {
    if (task.parent === undefined || unfinished.has(task.parent) || !isNewlyClosed(view, task)) continue
    const parent = parentOf(view, known, task.parent)
    const status = parent && statusByChildren(view, known, parent.uid)
    if (!parent || !status) {
      unfinished.add(task.parent)
      continue
    }
    // Its own parent may be finished now.
    if (parent.parent) unfinished.delete(parent.parent)
    const closed = closeTask(parent, status, { at: view.ws.now(), by: view.ws.actor.name }, NO_WORK)
    known.byUid.set(closed.uid, closed)
    finished.push(closed)
    queue.push(closed)
  }
  return finished
}

/** Tasks as they are after the change; the index has the earlier ones, and lacks new ones. */
interface Known {
  byUid: Map<string, Task>
  byParent: ReadonlyMap<string | undefined, readonly Task[]>
}

/** The commits are linked to its children. */
const NO_WORK = { head: null, branch: null, commits: [] }

/**
 * A parent that is open although all its children are finished was left open by a person: only the end of a child
 * finishes it.
 */
function isNewlyClosed(view: LedgerView, task: Task): boolean {
  const before = entry(view, task.uid)
  return !isOpen(task) && (before === undefined || isOpen(before))
}

/** The parent, if it is open and nobody works on it. */
function parentOf(view: LedgerView, known: Known, ref: TaskRef): Task | null {
  const uid = uidOf(ref)
  const parent = known.byUid.get(uid) ?? taskOf(view.ws.state, view.row.lid, uid)
  if (parent === null || !isPending(parent) || view.leased.has(uid)) return null
  return parent
}

/** Null: a child is open or has failed, or no child is left. */
function statusByChildren(view: LedgerView, known: Known, uid: string): 'completed' | 'skipped' | null {
  const filed = everyChildOf(view.ws.state, view.row.lid, uid)
  const others = new Set(filed.map((row) => row.uid))
  const added = (known.byParent.get(uid) ?? []).filter((task) => !others.has(task.uid))
  const children = [...filed, ...added].map((child) => known.byUid.get(child.uid) ?? child).filter(isStillIn(uid))
  if (children.length === 0 || children.some(isOpen)) return null
  return children.every(({ status }) => status === 'skipped') ? 'skipped' : 'completed'
}

/** Rows of the index name a parent by its uid, tasks by a reference. */
function isStillIn(uid: string): (child: { parent?: string | null; deleted?: boolean | number }) => boolean {
  return ({ parent, deleted }) => !deleted && (parent === uid || parent === `task-${uid}`)
}
