import { arriveIn } from '../../core/task/move.ts'
import type { Task } from '../../core/task/task.ts'
import { abbreviate } from '../../core/task/task-ids.ts'
import { entriesByNumber } from '../../state/index/find-entries.ts'
import { hasId, type LedgerView } from '../ledger/ledger-view.ts'

/**
 * Gives each task that arrives in a ledger a line there. It keeps its number if nobody has it there, otherwise it gets
 * the next free one: the tasks that are already there keep theirs.
 */
export function placeIn(view: LedgerView): (task: Task, number?: number) => Task {
  const { ws, row } = view
  const numbers = new Set<number>()
  const ids = new Set<string>()
  let last = row.last_number
  return (task, wanted = task.number) => {
    const isTaken = numbers.has(wanted) || entriesByNumber(ws.state, row.lid, wanted).length > 0
    const number = isTaken ? nextFree() : wanted
    numbers.add(number)
    const id = abbreviate(task.uid, task.id.length - 'task-'.length, (short) => ids.has(short) || hasId(view, short))
    ids.add(id)
    return arriveIn(task, { ledger: ws.ledger, number, id })
  }

  function nextFree(): number {
    do last++
    while (numbers.has(last))
    return last
  }
}
