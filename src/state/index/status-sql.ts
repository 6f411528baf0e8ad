/**
 * The predicates of core/task/status-predicates.ts as conditions on rows of `entries`. SQLite uses a partial index only if the
 * query has the same condition as the index, so both take it from here.
 */
export type Condition = (alias?: string) => string

export const finishedSql: Condition = (alias) => `${on(alias)}status IN ('completed', 'skipped')`

/** Not deleted, and not finished. */
export const openSql: Condition = (alias) => `${on(alias)}deleted = 0 AND ${on(alias)}status IN ('pending', 'failed')`

/** Not finished, here or in the ledger that it moved to: tasks that depend on it wait. */
export const blockingSql: Condition = (alias) => `((${openSql(alias)}) OR ${on(alias)}away = 1)`

/** Not deleted, and neither finished nor failed. */
export const pendingSql: Condition = (alias) => `${on(alias)}deleted = 0 AND ${on(alias)}status = 'pending'`

export const failedSql: Condition = (alias) => `${on(alias)}deleted = 0 AND ${on(alias)}status = 'failed'`

export const completedSql: Condition = (alias) => `${on(alias)}deleted = 0 AND ${on(alias)}status = 'completed'`

/** Pending, and it can start now. */
export const readySql: Condition = (alias) =>
  `${pendingSql(alias)} AND ${on(alias)}on_hold = 0 AND ${on(alias)}asks = 0 AND ${on(alias)}unmet = 0`

/** Pending, and only a person's decision or answer prevents it from starting. */
export const heldSql: Condition = (alias) =>
  `${pendingSql(alias)} AND (${on(alias)}on_hold = 1 OR ${on(alias)}asks = 1) AND ${on(alias)}unmet = 0`

/** Pending, with a dependency that is not finished. */
export const blockedSql: Condition = (alias) => `${pendingSql(alias)} AND ${on(alias)}unmet > 0`

function on(alias: string | undefined): string {
  return alias === undefined ? '' : `${alias}.`
}
