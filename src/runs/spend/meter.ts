import {
  addSpend,
  budgetExceeded,
  budgetUsedUp,
  leftForPhase,
  NOTHING_SPENT,
  runLimits,
  type Spend,
  spendIncrease,
  spentOn,
} from '../../core/run/budgets.ts'
import type { Meter } from '../../engine/phase/run-context.ts'
import type { RunPlan } from '../../engine/phase/run-plan.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { addToToday, hasDayBudget, spentToday } from './day-budget.ts'

/** Watches what the phases of one run spend, against the budgets of phase, task and day. One meter a phase. */
export function meterRun(ws: Workspace, { limits: { budgets }, worker, subject }: RunPlan): () => Meter {
  const ofRun = runLimits(budgets, worker.settings.max_turns)
  const today = () => (hasDayBudget(budgets) ? spentToday(ws) : NOTHING_SPENT)
  let onTask = spentOn(subject.task)
  return () => {
    let phase = NOTHING_SPENT
    return {
      left: leftForPhase(ofRun, { task: onTask, day: today() }),
      spend: (total) => {
        const more = spendIncrease(phase, total)
        if (more.usd === 0 && more.turns === 0) return null
        phase = addSpend(phase, more)
        onTask = addSpend(onTask, more)
        record(ws, more, hasDayBudget(budgets))
        return budgetExceeded(ofRun, { phase, task: onTask, day: today() })
      },
      usedUp: () => budgetUsedUp(ofRun, { task: onTask, day: today() }),
    }
  }
}

/** Without a limit for the day, a store that cannot be written is not a reason to end an agent. */
function record(ws: Workspace, more: Spend, isLimited: boolean): void {
  try {
    addToToday(ws, more)
  } catch (error) {
    if (isLimited) throw error
  }
}
