import { whyTaskSpent } from '../../core/run/budgets.ts'
import { type Workable, workableOne, workableTasks } from '../../runs/workable.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { WorkSession } from '../work-session.ts'

/** The tasks that may start now, or after a pause, in the order in which they should. */
export function* candidates(session: WorkSession): Generator<Workable, void, undefined> {
  const { ws, config } = session
  const { named, leftAlone } = session.tasks
  const view = readLedger(ws)
  const isOpen = ({ task }: Workable) => !leftAlone.has(task.uid) && whyTaskSpent(config.budgets, task) === null
  const followUps = [...session.tasks.followUps]
  yield* followUps.flatMap((uid) => workableOne(view, config, uid)).filter(isOpen)
  if (named.length > 0) yield* named.flatMap((uid) => namedCandidate(view, session, uid)).filter(isOpen)
  else yield* workableTasks(view, config).filter((found) => isOpen(found) && !followUps.includes(found.task.uid))
}

/** A person who names a task means now: a pause after an earlier failure counts only between our own attempts. */
function namedCandidate(view: LedgerView, { config, options, tasks }: WorkSession, uid: string): Workable[] {
  const isFirst = !tasks.tried.has(uid)
  const found = workableOne(view, config, uid, { takeOver: isFirst && (options.takeOver ?? false) })
  return found.map(({ task, notBefore }) => ({ task, notBefore: isFirst ? null : notBefore }))
}
