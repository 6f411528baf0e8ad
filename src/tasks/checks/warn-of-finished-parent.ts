import { command, sentence } from '../../core/sentence.ts'
import { isOpen } from '../../core/task/status-predicates.ts'
import { type Task, uidOf } from '../../core/task/task.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'

/** New work below a finished task does not open it: a person decides whether the parent should wait for it. */
export function warnOfFinishedParent(view: LedgerView, { parent }: Pick<Task, 'parent'>): void {
  const row = parent === undefined ? undefined : entry(view, uidOf(parent))
  if (row === undefined || isOpen(row)) return
  const { warnings, actor } = view.ws
  const way = actor.mode === 'human' ? sentence`; ${command`edit ${row.number} --reopen`} opens it again` : ''
  warnings.push(sentence`Task #${row.number}, the parent of this task, stays ${row.status}${way}`)
}
