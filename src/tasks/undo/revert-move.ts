/** A move is taken back, or brought back, by a move in the other direction. It changes both ledgers at once. */

import type { GivenCommand } from '../../core/ledger/undo-order.ts'
import { command, sentence } from '../../core/sentence.ts'
import { holdOfPeople, isHeldByPeople, lastMove } from '../../core/task/move.ts'
import { editTask } from '../../core/task/operations.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import type { StepLines } from '../../ledger/verify/step-lines.ts'
import { readRef } from '../../platform/git/refs.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { Decision } from '../../workspace/ledger/change-ledger.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { ledgerRef } from '../../workspace/workspace.ts'
import { commitOther, planMove, viewOther } from '../move/move-tasks.ts'
import { readOwnHistory } from './own-history.ts'
import { cannotBe, type Verb } from './refuse-built-on.ts'

/** From which ledger to which the tasks go when the command is reverted. */
export interface Direction {
  from: string
  to: string
}

/** Null if the command is not a move. */
export function directionBack({ command }: GivenCommand, verb: Verb): Direction | null {
  const [, prefix = '', from, to] = /^((?:undo |redo )*)move .+ from (\S+) to (\S+)$/.exec(command) ?? []
  if (from === undefined || to === undefined) return null
  const isForward = (prefix.match(/undo/g) ?? []).length % 2 === 0
  return isForward === (verb === 'undo') ? { from: to, to: from } : { from, to }
}

interface AskedMove {
  given: GivenCommand
  verb: Verb
  direction: Direction
  /** What the commit to revert changed. */
  step: StepLines
}

export interface MoveBack extends Pick<Decision<unknown>, 'tasks' | 'artifacts' | 'moves' | 'movesBefore'> {
  to: string
  /** The lines of the ledger that they return to. */
  arrived: Task[]
}

/** Null if none of the tasks is where the move took it: they were moved back already, or further, or deleted. */
export function moveBack(view: LedgerView, { given, verb, direction, step }: AskedMove): MoveBack | null {
  const { from, to } = direction
  const here = view.ws.ledger
  const other = viewExisting(view, here === from ? to : from, { given, verb })
  const [source, target] = here === from ? [view, other] : [other, view]
  // Copies of finished dependencies stay where they are.
  const moved = [...step.after.values()].filter((task) => task.moved_to === from)
  const uids = moved.map(({ uid }) => uid).filter((uid) => isIn(source, uid))
  if (uids.length === 0) return null
  const plan = planMove({ source, target, chosen: { uids } })
  const { left, artifacts } = plan
  const lineIn = ({ ws, row }: LedgerView, uid: string) => taskOf(ws.state, row.lid, uid)
  const arrived = plan.arrived.map((task) => withHoldBefore(task, lineIn(source, task.uid), lineIn(target, task.uid)))
  const subject = `${verb} ${given.command}`
  const undoes = commitIn(other, { given, verb })
  if (here === from) {
    // First where they arrive: if git is killed in between, they are in both ledgers, and not in none.
    const movesBefore = [commitOther(target, { tasks: arrived, artifacts, subject, undoes })]
    return { to, arrived, tasks: left, movesBefore }
  }
  const moves = [commitOther(source, { tasks: left, subject, undoes })]
  return { to, arrived, tasks: arrived, artifacts, moves }
}

/**
 * `prune --move-to` also puts tasks on hold. That is reverted with the move, unless somebody has decided about it since:
 * then the last decision is not as old as the move.
 */
function withHoldBefore(arrived: Task, left: Task | null, before: Task | null): Task {
  const [move, hold] = [lastMove(left === null ? [] : [left]), left === null ? undefined : holdOfPeople(left)]
  const isOfMove = hold !== undefined && move !== undefined && hold.at === move.at && hold.by === move.by
  const back = lastMove([arrived])
  if (!isOfMove || before === null || back === undefined) return arrived
  if (isHeldByPeople(arrived) === isHeldByPeople(before)) return arrived
  return editTask(arrived, { on_hold: isHeldByPeople(before) || null }, { at: back.at, by: back.by })
}

function isIn(view: LedgerView, uid: string): boolean {
  const row = entry(view, uid)
  return row !== undefined && row.away === 0 && row.deleted === 0
}

function viewExisting(view: LedgerView, ledger: string, asked: Pick<AskedMove, 'given' | 'verb'>): LedgerView {
  if (readRef(view.ws.repo, ledgerRef(ledger)) !== null) return viewOther(view.ws, ledger)
  throw new UserError('NO_LEDGER', `${cannotBe(asked.verb, asked.given)}: the ledger of ${ledger} is gone`, {
    hint: sentence`Nothing was changed. If it was archived, ${command`prune --restore ${ledger}`} brings it back.`,
  })
}

/** The commit of the same move in the other ledger. If it is not to be reverted there, the way back is a new command. */
function commitIn({ ws }: LedgerView, { given, verb }: Pick<AskedMove, 'given' | 'verb'>): string | undefined {
  const { order } = readOwnHistory(ws)
  const commands = verb === 'undo' ? order.done : order.undone
  return commands.find(({ command }) => command === given.command)?.commit.commit
}
