import { dependenciesOf, uidOf } from '../../core/task/task.ts'
import { childrenOf } from '../../state/index/family-entries.ts'
import { findTask } from '../ledger/ledger-view.ts'
import { nameOwner, othersWithKey } from '../ledger/taken-keys.ts'
import { readLinkedLedger } from '../links/read-linked-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { namesBy } from './task-status.ts'
import { viewTask } from './task-view.ts'
import type { TaskName, TaskView } from './views.ts'

/** A task with the names of all related tasks. */
export interface ShownTask extends TaskView {
  /** Its dependencies, its parent and its children, each once. */
  related: TaskName[]
}

export async function showTask(ws: Workspace, ref: string): Promise<ShownTask> {
  const view = readLinkedLedger(ws)
  const task = findTask(view, ref)
  for (const other of othersWithKey(view, task))
    ws.warnings.push(`The key ${task.key} is also the key of ${nameOwner(other)}`)
  const refs = [...dependenciesOf(task), ...(task.parent === undefined ? [] : [task.parent])].map(uidOf)
  const children = childrenOf(ws.state, view.row.lid, task.uid)
  const uids = new Set([...refs, ...children.map(({ uid }) => uid)])
  const shown = viewTask(view, task)
  // Loaded only then, because most tasks have no texts.
  if (shown.artifacts.length > 0) (await import('../texts/copies.ts')).warnOfEditedCopies(view, task)
  return { ...shown, related: namesBy(view, [...uids]) }
}
