/**
 * No edit and no import may make tasks wait for themselves. A parent is done when its children are, so it waits for them
 * as it waits for its dependencies; what is finished waits for nothing. Only loops that the change itself closes are
 * refused: one that a merge brought must not stand in the way of the edits that mend it.
 */
import { type Edge, loopUsing } from '../core/graph.ts'
import { dependenciesOf, isSettled, type Task, titleOf, uidOf } from '../core/task.ts'
import { UserError } from '../core/user-error.ts'
import { entriesNeededBy, entriesWhere } from '../state/sqlite/read-index.ts'
import { entry, type LedgerView } from './ledger-view.ts'
import { loopSteps } from './loop-steps.ts'

/** How a refusal speaks of it. */
export interface CycleWords {
  waits: string
  parents: string
  hint: string
  /** A task that is not filed yet; its title, where this is not given. */
  nameOf?: (task: Task) => string
}

export const IMPORT_WORDS: CycleWords = {
  waits: 'These tasks wait for each other',
  parents: 'These tasks are each other\u2019s parents',
  hint: 'Nothing was imported. Leave out one of these links.',
}

/** Throws where the tasks, as they are to be filed, would close a loop among themselves or with those of the ledger. */
export function refuseCycles(view: LedgerView, changed: readonly Task[], words: CycleWords): void {
  const after = overlay(view, changed, words.nameOf ?? titleOf)
  const family = loopOver(after.parentOf, changed.flatMap(after.newParents))
  if (family) {
    const names = [...family, ...family.slice(0, 1)].map(after.nameOf)
    throw cycleError('PARENT_CYCLE', `${words.parents}: ${names.join(' → ')}`, words.hint)
  }
  const found =
    loopOver(after.dependencies, changed.flatMap(after.newDependencies)) ??
    (after.hasParents() ? loopOver(after.waitsFor, changed.flatMap(after.newWaits)) : null)
  const waits = found && startingWith(found, changed[0]?.uid ?? '')
  if (waits) throw cycleError('DEPENDENCY_CYCLE', `${words.waits}: ${loopSteps(view, waits, after)}`, words.hint)
}

/** A task that gets another parent is in the loop, and not where it closes. */
function startingWith(loop: readonly string[], uid: string): string[] {
  const at = Math.max(0, loop.indexOf(uid))
  return [...loop.slice(at), ...loop.slice(0, at)]
}

type Next = (uid: string) => string[]

/** Only what can be reached from the new edges is read. */
function loopOver(next: Next, edges: readonly Edge[]): string[] | null {
  if (edges.length === 0) return null
  const graph = new Map<string, string[]>()
  const queue = edges.flat()
  for (let uid = queue.pop(); uid !== undefined; uid = queue.pop()) {
    if (graph.has(uid)) continue
    const onward = next(uid)
    graph.set(uid, onward)
    for (const each of onward) queue.push(each)
  }
  return loopUsing(graph, edges)
}

/** The ledger as it would be with the changed tasks in it. */
function overlay(view: LedgerView, changed: readonly Task[], nameNew: (task: Task) => string) {
  const { state } = view.ws
  const { lid } = view.row
  const tasks = new Map(changed.map((task) => [task.uid, task]))
  const children = Map.groupBy(changed, ({ parent }) => parent && uidOf(parent))
  // A number that was never given is that of a task which was made just now: none of 100,000 is looked up in vain.
  const old = changed.filter(({ number }) => number <= view.row.last_number)
  const known = new Map(old.flatMap(({ uid }) => entry(view, uid) ?? []).map((row) => [row.uid, row]))

  const isOpen = (uid: string) => {
    const task = tasks.get(uid) ?? entry(view, uid)
    return task !== undefined && !isSettled(task)
  }
  const filedDependencies: Next = (uid) =>
    entriesNeededBy(state, lid, uid).flatMap(({ needed, deleted }) => (deleted ? [] : [needed]))
  const dependencies: Next = (uid) => {
    const task = tasks.get(uid)
    if (task === undefined) return filedDependencies(uid)
    return task.deleted ? [] : dependenciesOf(task).map(uidOf)
  }
  const parentOf: Next = (uid) => {
    const task = tasks.get(uid)
    const parent = task === undefined ? entry(view, uid)?.parent : task.parent && uidOf(task.parent)
    return parent ? [parent] : []
  }
  const childrenOf: Next = (uid) => {
    const isNew = tasks.has(uid) && !known.has(uid)
    const filed = isNew ? [] : entriesWhere(state, lid, 'e.parent = ?', uid).filter((child) => !tasks.has(child.uid))
    return [...filed, ...(children.get(uid) ?? [])].filter((child) => !isSettled(child)).map((child) => child.uid)
  }
  const waitsFor: Next = (uid) =>
    isOpen(uid) ? [...new Set([...dependencies(uid).filter(isOpen), ...childrenOf(uid)])] : []

  const newDependencies = ({ uid }: Task): Edge[] => {
    if (!known.has(uid)) return dependencies(uid).map((needed): Edge => [uid, needed])
    const before = new Set(filedDependencies(uid))
    return dependencies(uid).flatMap((needed): Edge[] => (before.has(needed) ? [] : [[uid, needed]]))
  }
  const newParents = ({ uid }: Task): Edge[] =>
    parentOf(uid).flatMap((parent): Edge[] => (known.get(uid)?.parent === parent ? [] : [[uid, parent]]))
  const newWaits = (task: Task): Edge[] => {
    const row = known.get(task.uid)
    const above = parentOf(task.uid).map((parent): Edge => [parent, task.uid])
    // What is opened again waits anew for all that it needs.
    if (row !== undefined && isSettled(row))
      return [...waitsFor(task.uid).map((each): Edge => [task.uid, each]), ...above]
    return [...newDependencies(task), ...(row !== undefined && newParents(task).length === 0 ? [] : above)]
  }

  const nameOf = (uid: string) => {
    const row = known.get(uid) ?? entry(view, uid)
    if (row !== undefined) return `#${row.number}`
    const task = tasks.get(uid)
    return task === undefined ? uid : nameNew(task)
  }
  /** Without children nobody waits but for dependencies. */
  const hasParents = () =>
    changed.some(({ parent }) => parent !== undefined) ||
    entriesWhere(state, lid, 'e.parent IS NOT NULL LIMIT 1').length > 0
  return {
    hasParents,
    parentOf,
    dependencies,
    waitsFor,
    newParents,
    newDependencies,
    newWaits,
    nameOf,
    taskOf: (uid: string) => tasks.get(uid),
  }
}

function cycleError(code: string, told: string, hint: string): UserError {
  return new UserError(code, told, { hint, loops: [told] })
}
