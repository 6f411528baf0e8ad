import type { Spend } from '../../core/run/budgets.ts'
import type { Account } from './open-account.ts'

/** One statement, so that no worker overwrites what another has added. */
export function addSpending(db: Account, day: string, { usd, turns }: Spend): void {
  db.query(
    `INSERT INTO spending (day, usd, turns) VALUES (?, ?, ?)
    ON CONFLICT (day) DO UPDATE SET usd = usd + excluded.usd, turns = turns + excluded.turns`,
  ).run(day, usd, turns)
}

export function spendingOf(db: Account, day: string): Spend {
  const row = db.query('SELECT usd, turns FROM spending WHERE day = ?').get(day) as Spend | null
  // An earlier version could store an infinite amount. It is not known what was spent then.
  const isKnown = row !== null && Number.isFinite(row.usd) && Number.isFinite(row.turns)
  return isKnown ? { usd: Number(row.usd.toFixed(6)), turns: row.turns } : { usd: 0, turns: 0 }
}
