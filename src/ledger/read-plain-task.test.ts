import { expect, test } from 'bun:test'
import { isTaskLine, taskLine } from '../core/ledger/task-line.ts'
import { separateExtra } from '../core/ledger/written-task.ts'
import type { Task } from '../core/task/task.ts'
import { readPlainTask } from './read-plain-task.ts'
import { readSpelledLine } from './read-task-line.ts'
import { lineSchema } from './task-line-schema.ts'

const UID = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334'
const OTHER = 'ffffffffffffffffffffffffffffffffffffffff'
const NOTE = { id: '1-a', at: '2026-01-01T00:00:00Z', by: 'Ann', text: 'A remark' }
const RUN = { run: 'r1', attempt: 1, machine: 'm', started_at: '2026-01-01T00:00:00Z' }

const WHOLE = {
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

/** Values that are right for some field, and wrong for most. */
const VALUES: unknown[] = [
  ...[null, '', 'text', 'task', 'high', 'low', 'completed', 'pending', 'APPROVED', 'task-a1b2', `task-${OTHER}`, UID],
  ...[
    0,
    1,
    -1,
    1.5,
    1e10,
    true,
    false,
    [],
    {},
    ['text'],
    [1],
    [null],
    [`task-${OTHER}`],
    [`task-${OTHER}`, `task-${UID}`],
  ],
  ...[[NOTE], [{ ...NOTE, retracted: true }], [{ ...NOTE, retracted: false }], [{ ...NOTE, later: 1 }], [{ id: '1' }]],
  ...[[RUN], [{ ...RUN, ended_at: 'x', later: [1] }], [{ ...RUN, attempt: '1' }], [{ later: 1, ...RUN }]],
  [{ field: 'title', n: 1, at: 'x', by: 'Ann', value: 'A title' }],
]

const FIELDS = [
  ...Object.keys(WHOLE),
  ...['type', 'priority', 'depends_on', 'based_on', 'parent', 'key', 'title', 'group', 'create_review', 'same_branch'],
  ...['branch', 'user_story', 'acceptance_criteria', 'files_to_create', 'files_to_modify', 'test_files', 'locks'],
  ...['milestone_id', 'estimated_complexity', 'max_attempts', 'linear_issue_id', 'auto_review', 'max_review_cycles'],
  ...['final_verdict', 'plan_file', 'project', 'assigned_agent', 'todo_item', 'on_hold', 'archived', 'deleted'],
  ...['moved_to', 'renumbered', 'original', 'created_head', 'generation', 'closed_by', 'link', 'closed_head'],
  ...['closed_branch', 'commits', 'edits', 'runs', 'phases', 'landings', 'unknown', '__proto__', 'extra', 'large'],
]

const schema = lineSchema()

/** What reading took before there was a short way. */
function bySchema(fields: unknown): Task | null {
  const parsed = schema.safeParse(fields)
  return parsed.success ? separateExtra(parsed.data) : null
}

function check(json: string): boolean {
  const plain = readPlainTask(JSON.parse(json))
  const expected = bySchema(JSON.parse(json))
  if (plain !== null) expect(plain).toEqual(expected as Task)
  const read = readSpelledLine(json)
  if (expected === null) expect('why' in read).toBe(true)
  else expect(read).toEqual({ task: expected, full: taskLine(expected) })
  return plain !== null
}

test('every line that is read without the schema gives what the schema gives', () => {
  let plain = 0
  for (const field of FIELDS)
    for (const value of VALUES) {
      const text = JSON.stringify(value)
      const others = Object.entries(WHOLE).filter(([name]) => name !== field)
      const members = others.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`)
      if (check(`{${[...members, `"${field}":${text}`].join(',')}}`)) plain++
      if (check(`{${[`"${field}":${text}`, ...members].join(',')}}`)) plain++
    }
  expect(plain).toBeGreaterThan(200)
})

test('a line without one of its fields is left to the schema', () => {
  for (const field of Object.keys(WHOLE).filter((name) => name !== 'after')) {
    const { [field as keyof typeof WHOLE]: _, ...rest } = WHOLE
    expect(readPlainTask(rest)).toBeNull()
  }
})

test('a line is taken for its own spelling only if it is', () => {
  const line = JSON.stringify(WHOLE)
  const is = (text: string) => isTaskLine(text, JSON.parse(text))
  expect(is(line)).toBe(true)
  expect(is(line.replace('Write', 'Wr\\u0069te'))).toBe(false)
  expect(is(line.replace(':', ': '))).toBe(false)
  expect(is(JSON.stringify({ ...WHOLE, type: 'task' }))).toBe(false)
  expect(is(JSON.stringify({ ...WHOLE, after: [`task-${OTHER}`] }))).toBe(false)
  expect(is(JSON.stringify({ ...WHOLE, key: 'k', title: 't' }))).toBe(true)
  expect(is(JSON.stringify({ ...WHOLE, title: 't', key: 'k' }))).toBe(false)
})
