/** What the person has spent today, in all repositories together. A day is the local one. */

import type { Budgets } from '../../core/config/settings.ts'
import { limitsOf, NOTHING_SPENT, type Spend, whyUsedUp } from '../../core/run/budgets.ts'
import type { Env } from '../../platform/git/git.ts'
import { addSpending, spendingOf } from '../../state/account/spending.ts'
import { readAccount, writeAccount } from './account.ts'

export interface DaySpent {
  /** `$50.12 of $50.00` */
  spent: string
  /** When the next day begins. */
  until: string
}

/** Why nothing may be started for the rest of the day, or null. */
export function whyDaySpent(env: Env, budgets: Budgets, now = new Date()): DaySpent | null {
  if (!hasDayBudget(budgets)) return null
  const spent = whyUsedUp(spentToday(env, now), limitsOf(budgets, 'day'))
  return spent === null ? null : { spent, until: tomorrow(now).toISOString() }
}

export function hasDayBudget(budgets: Budgets): boolean {
  return budgets.day_usd !== null || budgets.day_turns !== null
}

export function spentToday(env: Env, now = new Date()): Spend {
  return readAccount(env, NOTHING_SPENT, (account) => spendingOf(account, localDay(now)))
}

export function addToToday(env: Env, spend: Spend, now = new Date()): void {
  if (spend.usd === 0 && spend.turns === 0) return
  writeAccount(env, (account) => addSpending(account, localDay(now), spend))
}

function localDay(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

function tomorrow(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
}
