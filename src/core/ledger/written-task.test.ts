import { expect, test } from 'bun:test'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import { EDITABLE_FIELDS } from './editable-fields.ts'
import { LATER_FIELDS, taskLine } from './task-line.ts'
import { isKnownField } from './written-task.ts'

test('every field that is written is known', () => {
  const written = [...Object.keys(JSON.parse(taskLine(aTask()))), ...EDITABLE_FIELDS, ...LATER_FIELDS]
  expect(written.filter((name) => !isKnownField(name))).toEqual([])
})

test('other names are not known, and neither are names of every object', () => {
  for (const name of ['', 'contents', 'constructor', '__proto__', 'toString']) expect(isKnownField(name)).toBe(false)
})
