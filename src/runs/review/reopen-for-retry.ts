import { effective } from '../../core/config/effective.ts'
import { continuedField, viewReview } from '../../core/run/review-cycles.ts'
import { currentRuns } from '../../core/run/run-rules.ts'
import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { type Authorship, reopenForWork } from '../../core/task/operations.ts'
import { isFinished } from '../../core/task/status-predicates.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import { entry, findTask } from '../../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { maxCyclesOf } from './plan-review.ts'

/**
 * Reopens a failed task, so that the next attempt may start, or one whose review cycles were used up and that may have
 * more of them now. Its work stays on its branch, and its reviews count.
 */
export async function reopenForRetry(ws: Workspace, ref: string): Promise<void> {
  assertAllowed('retry', ws.actor)
  const config = await loadConfiguration(ws)
  changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    const authorship = { at: ws.now(), by: ws.actor.name }
    const subject = `retry ${task.id}`
    if (!isFinished(task)) {
      const tasks = task.status === 'failed' ? [reopenForWork(task, authorship)] : []
      return { tasks, subject, result: null }
    }
    const number = entry(view, task.uid)?.number ?? task.number
    refuseFinished(task, number, maxCyclesOf(task, effective(config, task.type)))
    return { tasks: [continueCycles(task, authorship)], subject, result: null }
  })
}

/** Only cycles that ended without an approval can be continued. */
function refuseFinished(task: Task, number: number, maxCycles: number): void {
  const { cycle, verdict } = viewReview(task, false)
  const isLanded = task.landings.some(
    ({ outcome, generation }) => outcome === 'landed' && generation === task.generation,
  )
  if (verdict !== 'MAX_CYCLES_REACHED' || isLanded)
    throw new UserError('TASK_CLOSED', `${task.id} is ${task.status}`, { hint: command`edit ${number} --reopen` })
  if (maxCycles > cycle) return
  throw new UserError('MAX_CYCLES_REACHED', `Task #${number} has used all of its review cycles (${cycle})`, {
    hint: sentence`${command`edit ${number} --max-cycles ${cycle + 1}`} allows one more; then ${command`retry ${number}`}`,
  })
}

/** The next run continues after the last review. */
function continueCycles(task: Task, authorship: Authorship): Task {
  const run = currentRuns(task).at(-1)
  const open = reopenForWork(task, authorship)
  return run === undefined ? open : { ...open, extra: { ...open.extra, [continuedField(run.run)]: authorship } }
}
