import { expect, test } from 'bun:test'
import { filedIn, fileInRun, heldFiling } from './filed-in.ts'

const RUN = { run: 'r1', task: 'a'.repeat(40) }
const RULES = { max: 2, max_depth: 3, depth: 0 }

test('a run files up to its limit; what is beyond it, or too deep, is held', () => {
  expect(fileInRun(RUN, 1, RULES)).toEqual({ ...RUN, depth: 1 })
  expect(fileInRun(RUN, 2, RULES)).toEqual({ ...RUN, depth: 1, held: 'TOO_MANY_TASKS' })
  expect(fileInRun(RUN, 0, { ...RULES, depth: 2 })).toEqual({ ...RUN, depth: 3 })
  expect(fileInRun(RUN, 0, { ...RULES, depth: 3 })).toEqual({ ...RUN, depth: 4, held: 'TASKS_TOO_DEEP' })
})

test('what a ledger has in that field is read with care', () => {
  expect(filedIn({ extra: { filed_in: 'r1' } })).toBeNull()
  expect(filedIn({ extra: { filed_in: { task: 'x' } } })).toBeNull()
  expect(filedIn({ extra: { filed_in: { run: 'r1', task: 7, depth: -5, held: 'x' } } })).toEqual({
    run: 'r1',
    task: null,
    depth: 1,
  })
})

test('a hold that a person has edited is the person’s', () => {
  const extra = { filed_in: { ...RUN, depth: 1, held: 'TOO_MANY_TASKS' } }
  expect(heldFiling({ extra, on_hold: true, edits: [] })).toEqual(extra.filed_in as never)
  const edit = { field: 'on_hold' as const, n: 1, at: '', by: 'Ada', value: true }
  expect(heldFiling({ extra, on_hold: true, edits: [edit] })).toBeNull()
})
