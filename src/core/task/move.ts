/**
 * A task that moved to another ledger: the same task has a line in both. The last of its moves names the ledger whose
 * line people see and agents run. All other lines stay where they are, hidden.
 */

import { compareEdits, joinTask, winningEdit } from '../ledger/join-tasks.ts'
import type { Authorship } from './operations.ts'
import type { Edit, Task } from './task.ts'

/** Has the task moved from this ledger to another? */
export function isAway({ moved_to }: Pick<Task, 'moved_to'>, ledger: string): boolean {
  return moved_to !== undefined && moved_to !== ledger
}

/** The move that decides where a task is, of all that its lines know. */
export function lastMove(lines: readonly Pick<Task, 'edits'>[]): Edit | undefined {
  return winningEdit(
    lines.flatMap(({ edits }) => edits),
    'moved_to',
  )
}

/** A further move of a task, after all that its lines know. */
export function nextMove(lines: readonly Task[], to: string, { at, by }: Authorship): Edit {
  return { field: 'moved_to', n: (lastMove(lines)?.n ?? 0) + 1, at, by, value: to }
}

/** The line of a ledger after a move. Away from here it is on hold too, because older versions do not know moves. */
export function withMove(task: Task, move: Edit, ledger: string): Task {
  return joinMoved(task, { ...task, edits: [move] }, ledger)
}

/** What a ledger gives a task that arrives. */
export interface Place {
  ledger: string
  number: number
  id: string
}

/** A task as it arrives in another ledger: with every fact, and the number and id that it has there. */
export function arriveIn(task: Task, { ledger, number, id }: Place): Task {
  return settleHold({ ...withoutLocal(task), number, renumbered: [], id }, ledger)
}

/** The line of `ledger` with all facts of another line of the same task. Numbers and holds of a move stay apart. */
export function joinMoved(here: Task, other: Task, ledger: string): Task {
  const { number, renumbered } = here
  return settleHold(joinTask(here, { ...withoutLocal(other), number, renumbered }), ledger)
}

const LOCAL = 'moved'

/** The hold that a move leaves belongs to one ledger; every other fact goes where the task goes. */
function isNotLocal({ field, head }: Edit): boolean {
  return field !== 'on_hold' || head !== LOCAL
}

function withoutLocal(task: Task): Task {
  const { on_hold: _held, ...rest } = task
  return { ...rest, ...(isHeldByPeople(task) && { on_hold: true }), edits: task.edits.filter(isNotLocal) }
}

function settleHold(task: Task, ledger: string): Task {
  const move = lastMove([task])
  const wanted = isAway(task, ledger) || isHeldByPeople(task)
  if (move === undefined || (task.on_hold ?? false) === wanted) return task
  const n = (winningEdit(task.edits, 'on_hold')?.n ?? 0) + 1
  const edit: Edit = { field: 'on_hold', n, at: move.at, by: move.by, value: wanted || null, head: LOCAL }
  const { on_hold: _held, ...rest } = task
  return { ...rest, ...(wanted && { on_hold: true }), edits: [...task.edits, edit].sort(compareEdits) }
}

/** Whether a person has stopped the task. The hold that a move leaves does not count. */
export function isHeldByPeople(task: Task): boolean {
  if (task.edits.every(isNotLocal)) return task.on_hold ?? false
  return holdOfPeople(task)?.value === true
}

/** The last decision of a person about its hold. */
export function holdOfPeople({ edits }: Task): Edit | undefined {
  return winningEdit(edits.filter(isNotLocal), 'on_hold')
}
