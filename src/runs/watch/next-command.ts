import { type Command, command } from '../../core/sentence.ts'
import { isFinished } from '../../core/task/status-predicates.ts'
import { entryWithId } from '../../state/index/find-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { blockersOf, derivedStatus } from '../../workspace/views/task-status.ts'

/**
 * The command that brings an open task forward: that of the task it waits for, if it waits. A command that would only be
 * refused is never named.
 */
export function commandFor(view: LedgerView, row: Entry): Command {
  return commandAfter(view, row, new Set())
}

function commandAfter(view: LedgerView, row: Entry, seen: Set<string>): Command {
  const status = derivedStatus(view, row)
  if (isFinished({ status })) return command`show ${row.number}`
  if (row.on_hold) return command`resolve ${row.number} --resume`
  if (row.asks) return command`answer ${row.number} TEXT`
  if (status === 'failed') return command`retry ${row.number}`
  if (status === 'in_progress') return command`ps`
  if (status !== 'blocked') return command`work ${row.number}`
  seen.add(row.uid)
  const [first] = blockersOf(view, row)
  const blocker = first === undefined ? undefined : entryWithId(view.ws.state, view.row.lid, first.id)
  // A dependency cycle, or a task that this ledger does not have.
  return blocker === undefined || seen.has(blocker.uid) ? command`graph` : commandAfter(view, blocker, seen)
}
