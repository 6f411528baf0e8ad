import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyHistory } from '../../../test/support/arbitrary-history.ts'
import { anyExtra, aTask } from '../../../test/support/arbitrary-task.ts'
import { readTaskLine } from '../../ledger/read-task-line.ts'
import { addNote, editTask, recordRun } from '../task/operations.ts'
import type { Task } from '../task/task.ts'
import { joinTask } from './join-tasks.ts'
import { taskLine } from './task-line.ts'
import { parseTrustedLine } from './written-task.ts'

const ada = { at: '2026-01-02T10:00:00Z', by: 'ada' }
const task = aTask({ content: 'Do "it"' })
const { id, uid } = task

/** The line as the ledger's parser reads it. */
function readChecked(line: string): Task {
  const read = readTaskLine(line)
  if ('why' in read) throw new Error(`${read.why}: ${line}`)
  return read.task
}

describe('a line', () => {
  test('has the required fields first, with their nulls, and leaves defaults out', () => {
    expect(taskLine(task)).toBe(
      `{"id":"${id}","content":"Do \\"it\\"","status":"pending","created_at":"2026-01-02T10:00:00Z","created_by":"ada",` +
        `"after":null,"closed_at":null,"closed_commit":null,"notes":[],"uid":"${uid}","salt":"00ff00ff00ff00ff","number":1}`,
    )
  })

  test('names one dependency by itself and several as a list', () => {
    const [a, b] = [`task-${'a'.repeat(40)}`, `task-${'b'.repeat(40)}`] as const
    expect(JSON.parse(taskLine({ ...task, after: [a] })).after).toBe(a)
    expect(JSON.parse(taskLine({ ...task, after: [a, b] })).after).toEqual([a, b])
  })

  test('has no line break, whatever the texts contain', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones }) => {
        for (const each of clones.flat()) expect(taskLine(each)).not.toMatch(/[\n\r]/)
      }),
    )
  })

  test('is read back to the same line, with validation and without', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones }) => {
        for (const line of clones.flat().map(taskLine)) {
          expect(taskLine(readChecked(line))).toBe(line)
          expect(taskLine(parseTrustedLine(line))).toBe(line)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('has one spelling, whatever the order of the keys of edits and runs', () => {
    const run = { run: 'r1', attempt: 1, machine: 'm', started_at: ada.at, cost: 1, outcome: 'failed' }
    const line = taskLine(recordRun(editTask(task, { title: 'T' }, ada), run))
    const { edits, runs, ...rest } = JSON.parse(line)
    const turned = ([item]: object[]) => [Object.fromEntries(Object.entries(item as object).reverse())]
    const other = JSON.stringify({ ...rest, edits: turned(edits), runs: turned(runs) })
    expect(other).not.toBe(line)
    expect([readChecked(other), parseTrustedLine(other)].map(taskLine)).toEqual([line, line])
  })

  test('is read to the same task, with validation and without', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones }) => {
        for (const line of clones.flat().map(taskLine)) expect(readChecked(line)).toEqual(parseTrustedLine(line))
      }),
    )
  })

  test('joins in the same way before and after it was read', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones: [a = [], b = []] }) => {
        const [mine, theirs] = [a[0] as Task, b[0] as Task]
        const read = joinTask(readChecked(taskLine(mine)), parseTrustedLine(taskLine(theirs)))
        expect(taskLine(read)).toBe(taskLine(joinTask(mine, theirs)))
      }),
    )
  })
})

describe('fields of a later release', () => {
  test('survive reading, changing, joining and writing', () => {
    fc.assert(
      fc.property(anyExtra, (extra) => {
        const read = readChecked(JSON.stringify({ ...JSON.parse(taskLine(task)), ...extra }))
        const changed = editTask(addNote(read, 'n', ada, 'aa'), { title: 'T' }, ada)
        const line = taskLine(joinTask(changed, task))
        for (const parsed of [JSON.parse(line), readChecked(line).extra, parseTrustedLine(line).extra]) {
          for (const [field, value] of Object.entries(extra)) {
            expect(Object.hasOwn(parsed, field)).toBe(true)
            expect(parsed[field]).toEqual(JSON.parse(JSON.stringify(value)))
          }
        }
      }),
    )
  })

  test('never replace a known field', () => {
    const forged: Task = { ...task, extra: { status: 'completed', title: 'T' } }
    expect(JSON.parse(taskLine(forged)).status).toBe('pending')
  })
})

describe('an invalid line', () => {
  const fields = JSON.parse(taskLine(task))
  const why = (line: string) => (readTaskLine(line) as { why: string }).why

  test('is refused with the field that is wrong', () => {
    expect(why('{"id":')).toBe('not JSON')
    expect(why('[]')).toStartWith('line: ')
    expect(why(JSON.stringify({ ...fields, status: 'open' }))).toStartWith('status: ')
    expect(why(JSON.stringify({ ...fields, id: 'task-xyz' }))).toStartWith('id: ')
    expect(why(JSON.stringify({ ...fields, after: 'task-12' }))).toStartWith('after')
    expect(why(JSON.stringify({ ...fields, number: 0 }))).toStartWith('number: ')
    expect(why(JSON.stringify({ ...fields, notes: ['text'] }))).toStartWith('notes.0')
  })
})
