import { expect, test } from 'bun:test'
import { GZA, TASKS, textOf } from '../../../../test/cli/displays.ts'
import { aName, aView } from '../../../../test/cli/task-view.ts'
import type { ShownTask } from '../../../workspace/views/show-task.ts'
import { renderShow } from './show.ts'

/** A task, and what is known of those it is tied to. */
function shown(fields: Partial<ShownTask>): ShownTask {
  const view = aView(fields)
  const { related = [], commits_in_order = view.commits, texts = [], persons_verdict = null } = fields
  return { ...view, related, commits_in_order, texts, persons_verdict }
}

const done = shown({
  status: 'completed',
  number: 29,
  closed_at: '2025-01-02T11:45:00Z',
  closed_commit: 'abc1234def5678abc1234def5678abc1234def56',
  commits: ['abc1234def5678abc1234def5678abc1234def56'],
})

test('a done task is shown with its times and its commit', () => {
  expect(textOf(renderShow(done, TASKS))).toBe(
    `task-a3f8: Refactor auth middleware to use JWT
status: done
created: 2025-01-02T10:30:00Z
closed: 2025-01-02T11:45:00Z
commit: abc1234
`,
  )
})

test('under gza the number stands first, and done is completed', () => {
  expect([...renderShow(done, GZA)].slice(0, 2)).toEqual([
    '#29 task-a3f8: Refactor auth middleware to use JWT',
    'status: completed',
  ])
})

test('what is set follows, and notes are last', () => {
  const task = shown({
    content: 'First line\n\n  indented\nlast',
    status: 'blocked',
    blocked_by: [{ ...aName({ number: 7, id: 'task-b4c9' }), kind: 'after' }],
    after: ['task-b4c9'],
    based_on: ['task-1111', 'task-2222'],
    parent: 'task-3333',
    related: [
      { ...aName({ number: 7, id: 'task-b4c9', status: 'blocked' }), kind: 'after' },
      { ...aName({ number: 1, id: 'task-1111', title: 'Done', status: 'completed' }), kind: 'based_on' },
      { ...aName({ number: 0, id: 'task-2222', title: '(not in this ledger)' }), kind: 'based_on' },
      { ...aName({ number: 3, id: 'task-3333', title: 'Whole' }), kind: 'parent' },
    ],
    type: 'implement',
    group: 'auth',
    priority: 'high',
    acceptance_criteria: ['it works', 'it is fast'],
    files_to_modify: ['a.ts'],
    auto_review: true,
    max_review_cycles: 5,
    commits: ['1234567890'],
    notes: ['blocked: no database', 'two\nlines'],
  })
  expect(textOf(renderShow(task, TASKS))).toBe(
    `task-a3f8: First line

      indented
    last
status: pending (blocked by task-b4c9)
created: 2025-01-02T10:30:00Z
after: task-b4c9 Refactor auth (pending)
based on: task-1111 Done (done)
based on: task-2222 (not in this ledger)
type: implement
group: auth
priority: high
parent: task-3333 Whole (pending)
accept: it works
accept: it is fast
modifies: a.ts
auto review: yes
max cycles: 5
commits: 1234567
note: blocked: no database
note: two
    lines
`,
  )
  expect([...renderShow(task, GZA)]).toContain('based on: #1 task-1111 Done (completed)')
})

test('no text of a task can pass for a field, nor reach the terminal raw', () => {
  const task = shown({ content: 'x\nstatus: done\x1b[2J', notes: ['\u202enote\r'], group: 'g\nh' })
  expect(textOf(renderShow(task, TASKS))).toBe(
    `task-a3f8: x
    status: done\\x1b[2J
status: pending
created: 2025-01-02T10:30:00Z
group: g
    h
note: \\u202enote\\r
`,
  )
})
