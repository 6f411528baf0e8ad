/** What the person has spent today, in all repositories together. A day is the local one. */

import type { Budgets } from '../../core/config/settings.ts'
import { limitsOf, NOTHING_SPENT, type Spend, whyUsedUp } from '../../core/run/budgets.ts'
import { addSpending, spendingOf } from '../../state/account/spending.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readAccount, writeAccount } from './account.ts'

type Clocked = Pick<Workspace, 'env' | 'clock'>

export interface DaySpent {
  /** `$50.12 of $50.00` */
  spent: string
  /** When the next day begins. */
  until: string
}

/** Why nothing may be started for the rest of the day, or null. */
export function whyDaySpent(ws: Clocked, budgets: Budgets): DaySpent | null {
  if (!hasDayBudget(budgets)) return null
  const spent = whyUsedUp(spentToday(ws), limitsOf(budgets, 'day'))
  return spent === null ? null : { spent, until: tomorrow(ws.clock()).toISOString() }
}

export function hasDayBudget(budgets: Budgets): boolean {
  return budgets.day_usd !== null || budgets.day_turns !== null
}

export function spentToday({ env, clock }: Clocked): Spend {
  return readAccount(env, NOTHING_SPENT, (account) => spendingOf(account, localDay(clock())))
}

export function addToToday({ env, clock }: Clocked, spend: Spend): void {
  if (spend.usd === 0 && spend.turns === 0) return
  writeAccount(env, (account) => addSpending(account, localDay(clock()), spend))
}

/** `2026-03-02` */
export function localDay(time: number): string {
  const now = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** The first of the last so many days, today included. */
export function firstDay(time: number, days: number): string {
  const now = new Date(time)
  return localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).getTime())
}

function tomorrow(time: number): Date {
  const now = new Date(time)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
}
