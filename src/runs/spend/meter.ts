import {
  addSpend,
  leftOf,
  limitsOf,
  NOTHING_SPENT,
  type Spend,
  spendIncrease,
  spentOn,
  tightest,
  whyExceeded,
  whyUsedUp,
} from '../../core/run/budgets.ts'
import type { Meter } from '../../engine/phase/run-context.ts'
import type { RunPlan } from '../../engine/phase/run-plan.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { addToToday, hasDayBudget, spentToday } from './day-budget.ts'

/** Watches what the phases of one run spend, against the budgets of phase, task and day. One meter a phase. */
export function meterRun(ws: Workspace, { limits: { budgets }, worker, subject }: RunPlan): () => Meter {
  const ofPhase = tightest(limitsOf(budgets, 'phase'), { usd: null, turns: worker.settings.max_turns })
  const ofTask = limitsOf(budgets, 'task')
  const ofDay = limitsOf(budgets, 'day')
  const today = () => (hasDayBudget(budgets) ? spentToday(ws) : NOTHING_SPENT)
  let onTask = spentOn(subject.task)
  return () => {
    let phase = NOTHING_SPENT
    return {
      left: tightest(ofPhase, leftOf(ofTask, onTask), leftOf(ofDay, today())),
      spend: (total) => {
        const more = spendIncrease(phase, total)
        if (more.usd === 0 && more.turns === 0) return null
        phase = addSpend(phase, more)
        onTask = addSpend(onTask, more)
        record(ws, more, hasDayBudget(budgets))
        return (
          said('one call', whyExceeded(phase, ofPhase)) ??
          said('the task', whyExceeded(onTask, ofTask)) ??
          said('the day', whyExceeded(today(), ofDay))
        )
      },
      usedUp: () => {
        if (whyUsedUp(onTask, ofTask) !== null) return 'task-budget'
        return whyUsedUp(today(), ofDay) === null ? null : 'day-budget'
      },
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

function said(whose: string, amount: string | null): string | null {
  return amount === null ? null : `the budget of ${whose} is spent: ${amount}`
}
