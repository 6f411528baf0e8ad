import { dependencyKinds } from '../../core/graph/dependency-kinds.ts'
import { dependenciesOf, refOf, type Task, uidOf } from '../../core/task/task.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'

export interface CycleNaming {
  /** The task as it will be, if it differs from the ledger. */
  taskOf?: (uid: string) => Task | undefined
  nameOf?: (uid: string) => string
}

/** `#1 → #2 (explicit) → #3 (child) → #1 (file)`: each waits for the next, followed by the reason. */
export function cycleSteps(view: LedgerView, cycle: readonly string[], naming: CycleNaming = {}): string {
  const read = (uid: string) => naming.taskOf?.(uid) ?? taskOf(view.ws.state, view.row.lid, uid)
  const nameOf = naming.nameOf ?? ((uid: string) => `#${entry(view, uid)?.number ?? uid}`)
  const steps = cycle.map((uid, at) => {
    const next = cycle[(at + 1) % cycle.length] ?? uid
    return `${nameOf(next)} (${kindBetween(read(uid), read(next))})`
  })
  return [nameOf(cycle[0] ?? ''), ...steps].join(' → ')
}

function kindBetween(waiting: Task | null, needed: Task | null): string {
  if (!waiting || !needed) return 'explicit'
  const isNamed = dependenciesOf(waiting).some((ref) => uidOf(ref) === needed.uid)
  return isNamed ? dependencyKinds(waiting, { ...needed, ref: refOf(needed) }).join('+') : 'child'
}
