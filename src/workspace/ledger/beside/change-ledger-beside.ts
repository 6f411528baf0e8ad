/** `changeLedger` for the runs of one process: while one of them waits for git, the others continue. */
import { withWritten } from '../../../ledger/write/written-objects.ts'
import { tryGitAsync } from '../../../platform/git/git.ts'
import { swapOrder } from '../../../platform/git/refs.ts'
import { findLedger } from '../../../state/index/ledger-rows.ts'
import { isDamaged } from '../../../state/index/open-state.ts'
import { assertWritable } from '../../../state/index/write-entries.ts'
import { isUnwritable } from '../../../state/store-faults.ts'
import { inLockBeside } from '../../../state/write-lock-beside.ts'
import { renewState, type Workspace } from '../../workspace.ts'
import { keepWriteSettings } from '../../write-settings.ts'
import {
  changeLedger,
  type Decision,
  isFleetClone,
  lookBeforeLock,
  type PlannedChange,
  planChange,
} from '../change-ledger.ts'
import type { LedgerView } from '../ledger-view.ts'
import { type LedgerMove, swapLedgers } from '../swap-ledgers.ts'
import { whileMoving } from './moving-ledger.ts'

export async function changeLedgerBeside<T>(ws: Workspace, decide: (view: LedgerView) => Decision<T>): Promise<T> {
  if (isFleetClone(ws)) return changeLedger(ws, decide)
  const made: PlannedChange<T>[] = []
  lookBeforeLock(ws)
  try {
    await inLockBeside(ws.state, () => changeOnce(ws, decide, made))
  } catch (error) {
    if (!isDamaged(error) && !isUnwritable(error)) throw error
    // An error now would cause the change to be made twice.
    if (made.length > 0 && isDamaged(error)) renewState(ws)
  }
  const [done] = made
  // Otherwise nothing is changed yet, and this tries again or says why it cannot be.
  return done === undefined ? changeLedger(ws, decide) : done.result
}

/** Nothing is made if another process has moved the ledger meanwhile. */
async function changeOnce<T>(
  ws: Workspace,
  decide: (view: LedgerView) => Decision<T>,
  made: PlannedChange<T>[],
): Promise<void> {
  assertWritable(ws.state)
  const planned = planChange(ws, decide)
  if (planned === null) return
  const { moves, message, from, to, index, forget } = planned
  const isDone =
    moves.length === 0 || (await whileMoving(ws.repo, { from, to, index }, () => swapLedgersBeside(ws, moves, message)))
  if (!isDone) return forget()
  made.push(planned)
  // Whoever has read the ledger meanwhile has brought the index up to date.
  if (findLedger(ws.state, ws.ledger)?.tip === (from ?? '')) index()
  keepWriteSettings(ws.repo, ws.state)
}

/** `swapLedgers`, while other runs of this process continue. A person's moves are not made here: nothing vouches for them. */
async function swapLedgersBeside(ws: Workspace, updates: readonly LedgerMove[], message: string): Promise<boolean> {
  // What git could not do is done again, which waits for a lock or finds out why.
  if (ws.actor.mode === 'human' || !(await trySwap(ws, updates, message))) return swapLedgers(ws, updates, message)
  const commits = updates.map(({ to }) => to)
  return withWritten(ws.repo, commits, () => true)
}

async function trySwap({ repo }: Workspace, updates: readonly LedgerMove[], message: string): Promise<boolean> {
  const { args, input } = swapOrder(repo, updates, message)
  return (await tryGitAsync(repo, args, input)).code === 0
}
