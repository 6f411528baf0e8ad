import { isOpen } from '../../core/task/status-predicates.ts'
import { type Task, uidOf } from '../../core/task/task.ts'
import { openBelowWords } from '../../core/text/open-below.ts'
import { openChildrenOf } from '../../state/index/family-entries.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import type { Compared } from './compare-foreign.ts'
import type { Remark } from './tools/importer.ts'

/** A task is done when its children are. A task that the tool closed before them stays open, and this is reported. */
export function leaveOpenParents(
  view: LedgerView,
  differing: readonly Compared[],
  created: readonly Task[],
): { compared: Compared[]; left: Remark[] } {
  const closing = new Map(differing.filter(closes).map((one) => [one.task.uid, one]))
  const fresh = Map.groupBy(created, ({ parent }) => parent && uidOf(parent))
  const openBelow = (uid: string) => {
    const filed = openChildrenOf(view.ws.state, view.row.lid, uid)
    return [...filed, ...(fresh.get(uid) ?? [])].filter((child) => isOpen(child) && !closing.has(child.uid))
  }
  const left: Remark[] = []
  for (let isStable = false; !isStable; ) {
    const early = [...closing.values()].filter(({ task, changes }) => isDone(changes) && openBelow(task.uid).length > 0)
    for (const { task } of early) {
      const open = openBelowWords(openBelow(task.uid).map(({ number }) => number))
      left.push({ why: `${task.key} is completed there, but ${open}; it stays open` })
      closing.delete(task.uid)
    }
    isStable = early.length === 0
  }
  const compared = differing.map((one) => (closing.has(one.task.uid) ? one : withoutStatus(one)))
  return { compared: compared.filter(({ changes }) => changes.length > 0), left }
}

function closes({ changes }: Compared): boolean {
  return changes.some(({ field }) => field === 'status')
}

/** Skipping is a decision about the whole. */
function isDone(changes: Compared['changes']): boolean {
  return changes.some(({ field, to }) => field === 'status' && to === 'completed')
}

function withoutStatus({ task, changes }: Compared): Compared {
  return { task, changes: changes.filter(({ field }) => field !== 'status') }
}
