import type { Budgets } from '../../core/config/settings.ts'
import { whyTaskSpent } from '../../core/run/budgets.ts'
import { command, sentence } from '../../core/sentence.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { type Asked, workableTask } from '../../runs/workable.ts'
import { entry, findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import type { WorkOptions } from '../work-options.ts'

export interface Named {
  /** Uids, in the order in which they were named. */
  uids: string[]
  refused: { task: Task; why: UserError }[]
}

export const NOTHING_NAMED: Named = { uids: [], refused: [] }

/**
 * The tasks that a person named. A task that waits only for other named tasks may be named with them. A task
 * that cannot run does not stop the others. If none can run, the reason of the first one is thrown.
 */
export function checkNamed(view: LedgerView, budgets: Budgets, { refs, takeOver = false }: WorkOptions): Named {
  const uids = new Set<string>()
  const refused: Named['refused'] = []
  for (const task of refs.map((ref) => findTask(view, ref))) {
    const why = whyNotWorkable(view, budgets, task, { takeOver, among: uids })
    if (why === null) uids.add(task.uid)
    else refused.push({ task, why })
  }
  const [first] = refused
  if (uids.size === 0 && first !== undefined) throw first.why
  return { uids: [...uids], refused }
}

export function whyNotWorkable(view: LedgerView, budgets: Budgets, task: Task, asked: Asked): UserError | null {
  try {
    workableTask(view, task.id, asked)
    refuseSpent(view, budgets, task)
    return null
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
}

function refuseSpent(view: LedgerView, budgets: Budgets, task: Task): void {
  const spent = whyTaskSpent(budgets, task)
  if (spent === null) return
  const number = entry(view, task.uid)?.number ?? task.number
  throw new UserError('TASK_BUDGET', `Task #${number} has spent its budget: ${spent}`, {
    hint: sentence`${command`resolve ${number} --reset`} starts again; or raise budgets.task_usd or budgets.task_turns.`,
  })
}
