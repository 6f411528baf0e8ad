import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { taskLine } from '../core/ledger/task-line.ts'
import { separateExtra } from '../core/ledger/written-task.ts'
import type { Task } from '../core/task/task.ts'
import { readUsualLine } from './read-usual-line.ts'
import { lineSchema } from './task-line-schema.ts'

const UID = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334'
const REF = `task-${'f'.repeat(40)}`
const USUAL = {
  id: 'task-a1b2',
  content: 'Write the parser',
  status: 'pending',
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'Ann',
  after: null,
  closed_at: null,
  closed_commit: null,
  notes: [],
  uid: UID,
  salt: 's',
  number: 7,
}

const schema = lineSchema()

function bySchema(line: string): Task {
  return separateExtra(schema.parse(JSON.parse(line)))
}

const oddText = fc.constantFrom('', '"', '\\', '\n', '\u2028', 'é', '😀', '\ud800')
const anyText = fc.oneof({ weight: 30, arbitrary: fc.constant('text') }, oddText, fc.string({ unit: 'binary' }))
const anyAfter = fc.constantFrom(null, null, REF, REF, [REF], [REF, REF], 'task-ffff')
const anyNumber = fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.constantFrom(0, -1, 1.5, 999_999_999, 1e9, 1e21))
const optional = () => fc.option(anyText, { nil: undefined })

/** In the order in which they are written. */
const anyUsual = fc
  .tuple(
    fc.constantFrom('task-a1b2', 'task-a1b2', `task-${UID}`, 'task-ffff'),
    ...[anyText, fc.constantFrom('pending', 'completed', 'failed', 'skipped', 'open'), anyText, anyText, anyAfter],
    ...[fc.option(anyText), fc.option(anyText), fc.constant([]), fc.constant(UID), anyText, anyNumber],
    ...[optional(), optional(), optional(), optional()],
  )
  .map((values) => Object.fromEntries(NAMES.map((name, at) => [name, values[at]])))
const NAMES = [...Object.keys(USUAL), 'created_head', 'closed_by', 'closed_head', 'closed_branch']

test('what is accepted, the schema reads as the same task, and taskLine writes as the same line', () => {
  let accepted = 0
  fc.assert(
    fc.property(anyUsual, (fields) => {
      const line = JSON.stringify(fields)
      const task = readUsualLine(line)
      if (task === null) return
      accepted++
      expect(task).toEqual(bySchema(line))
      expect(taskLine(task)).toBe(line)
    }),
    { numRuns: 5000 },
  )
  expect(accepted).toBeGreaterThan(100)
})

test('the lines of most tasks are accepted', () => {
  const closed = { status: 'completed', closed_at: '2026-01-02T00:00:00Z', after: REF }
  const by = { created_head: UID, closed_by: 'Ann', closed_head: UID, closed_branch: 'main' }
  for (const fields of [USUAL, { ...USUAL, ...closed, ...by }, { ...USUAL, content: 'é\u2028\u007f' }]) {
    const line = JSON.stringify(fields)
    expect(readUsualLine(line)).toEqual(bySchema(line))
  }
})

test('every other spelling is left to others', () => {
  const line = JSON.stringify(USUAL)
  const others = [
    line.replace('"number":7', '"number":07'),
    line.replace('"number":7', '"number":1000000000'),
    line.replace(':', ': '),
    line.replace('Write', 'Wr\\u0069te'),
    line.replace('}', ',"large":"x"}'),
    line.replace('}', ',"closed_by":"Ann","created_head":"x"}'),
    line.replace('task-a1b2', 'task-ffff'),
    line.replace('Ann', 'Ann","edit:x":"1'),
    `${line}\r`,
    ` ${line}`,
    line.replace('Ann', '\ud800'),
  ]
  expect(others.map(readUsualLine)).toEqual(others.map(() => null))
})
