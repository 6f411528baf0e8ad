import { expect, test } from 'bun:test'
import { isFinished, isOpen, isPending } from '../../core/task/status-predicates.ts'
import { STATUSES } from '../../core/task/task.ts'
import { openMemoryState } from './open-state.ts'
import { type Condition, completedSql, failedSql, finishedSql, openSql, pendingSql } from './status-sql.ts'

const ALL = STATUSES.flatMap((status) => [0, 1].map((deleted) => ({ status, deleted })))

/** The combinations for which the condition holds. */
function holdingFor(condition: Condition): typeof ALL {
  const rows = JSON.stringify(ALL)
  const sql = `SELECT value ->> 'status' AS status, value ->> 'deleted' AS deleted FROM json_each(?)`
  const found = openMemoryState()
    .query(`SELECT * FROM (${sql}) e WHERE ${condition('e')}`)
    .all(rows)
  return found as typeof ALL
}

test('a condition in SQL holds for the same tasks as the predicate of its name', () => {
  expect(holdingFor(finishedSql)).toEqual(ALL.filter(isFinished))
  expect(holdingFor(openSql)).toEqual(ALL.filter(isOpen))
  expect(holdingFor(pendingSql)).toEqual(ALL.filter(isPending))
  expect(holdingFor(failedSql)).toEqual([{ status: 'failed', deleted: 0 }])
  expect(holdingFor(completedSql)).toEqual([{ status: 'completed', deleted: 0 }])
})

test('a condition can be written without an alias', () => {
  expect(openSql()).toBe(openSql('e').replaceAll('e.', ''))
})
