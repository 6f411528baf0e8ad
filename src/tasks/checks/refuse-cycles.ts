/**
 * No edit and no import may make tasks wait for themselves. A parent is done when its children are, so it waits for
 * them as for its dependencies; a finished task waits for nothing. Only cycles that the change itself closes are
 * refused: a cycle that came with a merge must not block the edits that repair it.
 */
import { cycleUsing, type Edge } from '../../core/graph/dependency-cycles.ts'
import { type Task, titleOf } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { cycleSteps } from './cycle-steps.ts'
import { type GraphAfterChange, graphAfterChange, type Paths } from './graph-after-change.ts'

/** The wording of a refusal. */
export interface CycleWords {
  waits: string
  parents: string
  hint: string
  /** The name of a task that is not filed yet; by default its title. */
  nameOf?: (task: Task) => string
}

export const IMPORT_WORDS: CycleWords = {
  waits: 'These tasks wait for each other',
  parents: 'These tasks are each other\u2019s parents',
  hint: 'Nothing was imported. Leave out one of these links.',
}

/** Throws if the tasks to be filed would close a cycle among themselves or with those of the ledger. */
export function refuseCycles(view: LedgerView, changed: readonly Task[], words: CycleWords): void {
  const after = graphAfterChange(view, changed, words.nameOf ?? titleOf)
  const family = closedCycle(after, after.parents)
  if (family) {
    const names = [...family, ...family.slice(0, 1)].map(after.nameOf)
    throw cycleError('PARENT_CYCLE', `${words.parents}: ${names.join(' → ')}`, words.hint)
  }
  const found = closedCycle(after, after.dependencies) ?? (after.waits && closedCycle(after, after.waits))
  const waits = found && startingWith(found, changed[0]?.uid ?? '')
  if (waits) throw cycleError('DEPENDENCY_CYCLE', `${words.waits}: ${cycleSteps(view, waits, after)}`, words.hint)
}

/** A task that gets another parent is in the cycle, but the cycle does not close at it. */
function startingWith(cycle: readonly string[], uid: string): string[] {
  const at = Math.max(0, cycle.indexOf(uid))
  return [...cycle.slice(at), ...cycle.slice(0, at)]
}

/** Up to this number, edges are checked one by one: an import has too many for that. */
const FEW = 50

/** Only what can be reached from the new edges is read, and of the ledger only what could lead back. */
function closedCycle(after: GraphAfterChange, paths: Paths): string[] | null {
  const { added, onward } = paths
  const edges = added.length > FEW ? added : added.filter((edge) => isClosing(edge, paths))
  if (edges.length === 0) return null
  const isOnTheWay = (uid: string) => after.isReached || after.taskOf(uid) !== undefined
  const graph = new Map<string, string[]>()
  const queue = edges.flat()
  for (let uid = queue.pop(); uid !== undefined; uid = queue.pop()) {
    if (graph.has(uid)) continue
    const next = onward(uid).filter(isOnTheWay)
    graph.set(uid, next)
    for (const each of next) queue.push(each)
  }
  return cycleUsing(graph, edges)
}

/**
 * Whether there is a path from the end of an edge back to its beginning. Searched from both sides in turn, because
 * mostly one of them ends soon: nobody waits for a new task, while it may wait for 100,000.
 */
function isClosing([from, to]: Edge, { onward, back }: Paths): boolean {
  if (from === to) return true
  const ahead = { queue: [to], seen: new Set([to]), next: onward }
  const behind = { queue: [from], seen: new Set([from]), next: back }
  for (let turn = 0; ; turn++) {
    const [own, other] = turn % 2 === 0 ? [ahead, behind] : [behind, ahead]
    const uid = own.queue[turn >> 1]
    if (uid === undefined) return false
    for (const each of own.next(uid)) {
      if (other.seen.has(each)) return true
      if (own.seen.has(each)) continue
      own.seen.add(each)
      own.queue.push(each)
    }
  }
}

function cycleError(code: string, message: string, hint: string): UserError {
  return new UserError(code, message, { hint, cycles: [message] })
}
