import type { Edge } from '../../core/graph/dependency-cycles.ts'
import { isOpen } from '../../core/task/status-predicates.ts'
import { dependenciesOf, type Task, uidOf } from '../../core/task/task.ts'
import { linksOf } from '../../state/index/dependency-rows.ts'
import { hasParts } from '../../state/index/family-entries.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'

export type Next = (uid: string) => string[]

/** One kind of links between tasks: from a task onward, and back. */
export interface Paths {
  onward: Next
  back: Next
  /** What the change adds to it. */
  added: Edge[]
}

/** The dependencies as they would be with the changed tasks in the ledger. Read task by task, on demand. */
export interface GraphAfterChange {
  /** From a task to its parent. */
  parents: Paths
  /** For any status; deleted tasks block nobody. */
  dependencies: Paths
  /** Only open tasks, with their children: null if nobody has a child. */
  waits: Paths | null
  /** False: nothing in the ledger leads to a changed task. */
  isReached: boolean
  taskOf(uid: string): Task | undefined
  nameOf(uid: string): string
}

export function graphAfterChange(
  view: LedgerView,
  changed: readonly Task[],
  nameNew: (task: Task) => string,
): GraphAfterChange {
  const { ws, row: ledger } = view
  const tasks = new Map(changed.map((task) => [task.uid, task]))
  const children = Map.groupBy(changed, ({ parent }) => parent && uidOf(parent))
  const followers = groupByDependency(changed)
  // A number that was never given belongs to a task that was just made, so not one of 100,000 is looked up in vain.
  const old = changed.filter(({ number }) => number <= ledger.last_number)
  const known = new Map(old.flatMap(({ uid }) => entry(view, uid) ?? []).map((row) => [row.uid, row]))
  const isNew = (uid: string) => tasks.has(uid) && !known.has(uid)

  // Looked up once: a search meets a task from many sides.
  const open = new Map<string, boolean>()
  const isUidOpen = (uid: string): boolean => {
    const known = open.get(uid)
    if (known !== undefined) return known
    const task = tasks.get(uid) ?? entry(view, uid)
    return remember(uid, task !== undefined && isOpen(task))
  }
  const remember = (uid: string, isItOpen: boolean): boolean => {
    open.set(uid, isItOpen)
    return isItOpen
  }
  /** Links of the ledger that the change does not touch. */
  const filed = (uid: string, kind: Parameters<typeof linksOf>[3]): string[] =>
    linksOf(ws.state, ledger.lid, uid, kind).flatMap(({ uid: other, status, deleted }) => {
      if (!tasks.has(other)) remember(other, status !== null && isOpen({ status, deleted }))
      return deleted ? [] : [other]
    })
  const unchanged = (uid: string) => !tasks.has(uid)

  const needs: Next = (uid) => {
    const task = tasks.get(uid)
    if (task === undefined) return filed(uid, 'needed')
    return task.deleted ? [] : dependenciesOf(task).map(uidOf)
  }
  const neededBy: Next = (uid) => {
    const others = isNew(uid) ? [] : filed(uid, 'needing').filter(unchanged)
    return [...others, ...(followers.get(uid) ?? []).filter(({ deleted }) => !deleted).map((each) => each.uid)]
  }
  const parentOf: Next = (uid) => {
    const task = tasks.get(uid)
    const parent = task === undefined ? entry(view, uid)?.parent : task.parent && uidOf(task.parent)
    return parent ? [parent] : []
  }
  const childrenOf: Next = (uid) => {
    const others = isNew(uid) ? [] : filed(uid, 'children').filter(unchanged)
    return [...others, ...(children.get(uid) ?? []).map((child) => child.uid)]
  }
  const waitsFor: Next = (uid) =>
    isUidOpen(uid) ? [...new Set([...needs(uid), ...childrenOf(uid)])].filter(isUidOpen) : []
  const waitedForBy: Next = (uid) =>
    isUidOpen(uid) ? [...new Set([...neededBy(uid), ...parentOf(uid)])].filter(isUidOpen) : []

  const newNeeds = ({ uid }: Task): Edge[] => {
    const before = new Set(known.has(uid) ? filed(uid, 'needed') : [])
    return needs(uid).flatMap((needed): Edge[] => (before.has(needed) ? [] : [[uid, needed]]))
  }
  const newParent = ({ uid }: Task): Edge[] =>
    parentOf(uid).flatMap((parent): Edge[] => (known.get(uid)?.parent === parent ? [] : [[uid, parent]]))
  const newWaits = (task: Task): Edge[] => {
    const row = known.get(task.uid)
    // A task that is opened again waits again for all its dependencies.
    if (row !== undefined && !isOpen(row))
      return [
        ...waitsFor(task.uid).map((each): Edge => [task.uid, each]),
        ...parentOf(task.uid).map((parent): Edge => [parent, task.uid]),
      ]
    return [...newNeeds(task), ...newParent(task).map(([child, parent]): Edge => [parent, child])]
  }
  const hasParents = changed.some(({ parent }) => parent) || hasParts(ws.state, ledger.lid)

  return {
    parents: { onward: parentOf, back: childrenOf, added: changed.flatMap(newParent) },
    dependencies: { onward: needs, back: neededBy, added: changed.flatMap(newNeeds) },
    waits: hasParents ? { onward: waitsFor, back: waitedForBy, added: changed.flatMap(newWaits) } : null,
    isReached: known.size > 0 || [...children.keys()].some((parent) => parent !== undefined && unchanged(parent)),
    taskOf: (uid) => tasks.get(uid),
    nameOf: (uid) => {
      const row = known.get(uid) ?? entry(view, uid)
      const task = tasks.get(uid)
      if (row !== undefined) return `#${row.number}`
      return task === undefined ? uid : nameNew(task)
    },
  }
}

function groupByDependency(changed: readonly Task[]): Map<string, Task[]> {
  const followers = new Map<string, Task[]>()
  for (const task of changed) {
    for (const needed of dependenciesOf(task).map(uidOf)) {
      const others = followers.get(needed)
      if (others) others.push(task)
      else followers.set(needed, [task])
    }
  }
  return followers
}
