import { expect, test } from 'bun:test'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import { editTask } from '../task/operations.ts'
import { joinTask } from './join-tasks.ts'
import { taskLine } from './task-line.ts'
import { parseTrustedLine, parseWrittenLine } from './written-task.ts'

const ada = { at: '2026-01-02T10:00:00Z', by: 'ada' }
const bob = { at: '2026-01-02T10:00:00Z', by: 'bob' }

test('an edit of a later field is a field of its own in the line, and its value is not written', () => {
  const line = taskLine(editTask(aTask(), { on_hold: true, moved_to: 'feature' }, ada))
  const { edits, on_hold, ...rest } = JSON.parse(line)
  expect(edits).toEqual([{ field: 'on_hold', n: 1, ...ada, value: true }])
  expect(on_hold).toBe(true)
  expect(rest.moved_to).toBeUndefined()
  const [name, ...others] = Object.keys(rest).filter((key) => key.startsWith('edit:'))
  expect(others).toEqual([])
  expect(name).toMatch(/^edit:moved_to:1:[0-9a-f]{16}$/)
  expect(rest[name ?? '']).toEqual({ field: 'moved_to', n: 1, ...ada, value: 'feature' })
})

test('a line with such edits is read with the value of the winning one', () => {
  const moved = editTask(editTask(aTask(), { moved_to: 'b' }, ada), { moved_to: 'a' }, ada)
  for (const read of [parseTrustedLine, parseWrittenLine]) {
    const { moved_to, edits } = read(taskLine(moved))
    expect([moved_to, edits?.map(({ value }) => value)]).toEqual(['a', ['b', 'a']])
  }
  expect(parseTrustedLine(taskLine(editTask(moved, { moved_to: null }, ada))).moved_to).toBeUndefined()
})

test('edits that two clones made meanwhile have two names', () => {
  const joined = joinTask(editTask(aTask(), { moved_to: 'x' }, ada), editTask(aTask(), { moved_to: 'y' }, bob))
  const names = Object.keys(JSON.parse(taskLine(joined))).filter((key) => key.startsWith('edit:moved_to:1:'))
  expect(names).toHaveLength(2)
  expect(parseTrustedLine(taskLine(joined)).moved_to).toBe('y')
})

test('a field of that form which is not such an edit stays what it is', () => {
  const extra = { 'edit:moved_to:1:0000000000000000': { field: 'moved_to', n: 1, ...ada, value: 'x' }, 'edit:zz': 1 }
  const read = parseTrustedLine(taskLine({ ...aTask(), extra }))
  expect([read.extra, read.edits, read.moved_to]).toEqual([extra, [], undefined])
})
