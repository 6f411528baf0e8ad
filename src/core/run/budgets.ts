/**
 * What may be spent, what was spent, and whether anything is left. A limit is exceeded by spending more than it allows.
 */

import type { Budgets } from '../config/settings.ts'
import type { Run, Task } from '../task/task.ts'
import { plural } from '../text/plural.ts'
import { currentRuns } from './run-rules.ts'
import { totalRuns } from './run-totals.ts'

export interface Spend {
  usd: number
  turns: number
}

/** Null: no limit. */
export interface Limits {
  usd: number | null
  turns: number | null
}

export const NOTHING_SPENT: Spend = { usd: 0, turns: 0 }

export function limitsOf(budgets: Budgets, scope: 'phase' | 'task' | 'day'): Limits {
  return { usd: budgets[`${scope}_usd`], turns: budgets[`${scope}_turns`] }
}

/** Of all runs since a person last opened the task. */
export function spentOn(task: Pick<Task, 'runs' | 'generation'>): Spend {
  const { cost_usd, turns } = totalRuns(runsSinceOpened(task))
  return { usd: cost_usd, turns }
}

/** A run whose claim is rejected also opens the task again, but that resets no spending. */
function runsSinceOpened(task: Pick<Task, 'runs' | 'generation'>): Run[] {
  const runs = currentRuns(task)
  const before = { runs: task.runs, generation: task.generation - 1 }
  return currentRuns(before).some((run) => run.taken_back) ? [...runsSinceOpened(before), ...runs] : runs
}

/** Why no further attempt at the task may begin, or null. */
export function whyTaskSpent(budgets: Budgets, task: Pick<Task, 'runs' | 'generation'>): string | null {
  return whyUsedUp(spentOn(task), limitsOf(budgets, 'task'))
}

/** Which limits are used up, in words. */
export function whyUsedUp(spent: Spend, limits: Limits): string | null {
  if (limits.usd !== null && spent.usd >= limits.usd) return dollarsOf(spent.usd, limits.usd)
  return limits.turns !== null && spent.turns >= limits.turns ? turnsOf(spent.turns, limits.turns) : null
}

/** Which limits were exceeded, in words. */
export function whyExceeded(spent: Spend, limits: Limits): string | null {
  if (limits.usd !== null && spent.usd > limits.usd) return dollarsOf(spent.usd, limits.usd)
  return limits.turns !== null && spent.turns > limits.turns ? turnsOf(spent.turns, limits.turns) : null
}

/** The limits of one run: of each of its phases, of its task and of the day. */
export type RunLimits = Record<'phase' | 'task' | 'day', Limits>

export function runLimits(budgets: Budgets, phaseTurns: number | null): RunLimits {
  const phase = tightest(limitsOf(budgets, 'phase'), { usd: null, turns: phaseTurns })
  return { phase, task: limitsOf(budgets, 'task'), day: limitsOf(budgets, 'day') }
}

/** What the next phase of the run may spend. */
export function leftForPhase(limits: RunLimits, spent: Record<'task' | 'day', Spend>): Limits {
  return tightest(limits.phase, leftOf(limits.task, spent.task), leftOf(limits.day, spent.day))
}

/** The budget that has nothing left, besides the phase's own. */
export function budgetUsedUp(
  limits: RunLimits,
  spent: Record<'task' | 'day', Spend>,
): 'task-budget' | 'day-budget' | null {
  if (whyUsedUp(spent.task, limits.task) !== null) return 'task-budget'
  return whyUsedUp(spent.day, limits.day) === null ? null : 'day-budget'
}

/** Which limit of the run was exceeded, as a sentence. */
export function budgetExceeded(limits: RunLimits, spent: Record<'phase' | 'task' | 'day', Spend>): string | null {
  const scopes = [
    ['one call', 'phase'],
    ['the task', 'task'],
    ['the day', 'day'],
  ] as const
  for (const [whose, scope] of scopes) {
    const amount = whyExceeded(spent[scope], limits[scope])
    if (amount !== null) return `the budget of ${whose} is spent: ${amount}`
  }
  return null
}

export function leftOf({ usd, turns }: Limits, spent: Spend): Limits {
  return {
    usd: usd === null ? null : exact(Math.max(0, usd - spent.usd)),
    turns: turns === null ? null : Math.max(0, turns - spent.turns),
  }
}

export function tightest(...all: readonly Limits[]): Limits {
  const least = (some: readonly (number | null)[]): number | null => {
    const set = some.filter((each) => each !== null)
    return set.length === 0 ? null : Math.min(...set)
  }
  return { usd: least(all.map(({ usd }) => usd)), turns: least(all.map(({ turns }) => turns)) }
}

export function addSpend(one: Spend, other: Spend): Spend {
  return { usd: exact(one.usd + other.usd), turns: one.turns + other.turns }
}

/**
 * The increase from the first to the second, never negative: a client may correct its count downwards, but spent money
 * does not come back.
 */
export function spendIncrease(before: Spend, now: Spend): Spend {
  return { usd: exact(Math.max(0, now.usd - before.usd)), turns: Math.max(0, now.turns - before.turns) }
}

/** Sums of binary fractions: 0.1 + 0.2 would be more than 0.3. */
function exact(usd: number): number {
  return Number(usd.toFixed(6))
}

function dollarsOf(spent: number, limit: number): string {
  const digits = Math.max(2, ...[spent, limit].map((usd) => (String(exact(usd)).split('.')[1] ?? '').length))
  return `$${spent.toFixed(digits)} of $${limit.toFixed(digits)}`
}

function turnsOf(spent: number, limit: number): string {
  return `${spent} of ${plural(limit, 'turn')}`
}
