import { expect, test } from 'bun:test'
import { GZA, onTerminal, TASKS, textOf } from '../../../../test/cli/displays.ts'
import { aName, aView } from '../../../../test/cli/task-view.ts'
import { emptyList, renderList, renderReady } from './list.ts'

const done = aView({ status: 'completed', number: 1 })
const open = aView({ id: 'task-b4c9', number: 2, content: 'Add input validation to /api/users endpoint' })
const blocked = aView({
  id: 'task-c5d0',
  number: 3,
  content: 'Write docs',
  status: 'blocked',
  blocked_by: [{ ...aName({ number: 1, id: 'task-a3f8' }), kind: 'after' }],
})

test('ready lists what can start, then what is blocked by what', () => {
  expect(textOf(renderReady({ ready: [open], blocked: [blocked] }, TASKS))).toBe(
    'task-b4c9: Add input validation to /api/users endpoint\n(task-c5d0 blocked by task-a3f8)\n',
  )
  expect(textOf(renderReady({ ready: [open], blocked: [blocked] }, GZA))).toBe(
    '#2 task-b4c9: Add input validation to /api/users endpoint\n(#3 task-c5d0 blocked by #1)\n',
  )
})

test('a task of a plan is listed with the key that the plan gives it', () => {
  const [first, second] = [aView({ ...open, key: 'T1' }), aView({ ...blocked, key: 'T2-a' })]
  expect(textOf(renderReady({ ready: [first], blocked: [second] }, GZA))).toBe(
    '#2 task-b4c9: T1 Add input validation to /api/users endpoint\n(#3 task-c5d0 T2-a blocked by #1)\n',
  )
  expect(textOf(renderList([second], TASKS, { ledgers: false }))).toBe(
    'task-c5d0: T2-a Write docs (blocked by task-a3f8)\n',
  )
})

test('list says in brackets what is not simply open', () => {
  expect(textOf(renderList([done, open, blocked], TASKS, { ledgers: false }))).toBe(
    'task-a3f8: Refactor auth middleware to use JWT (done)\n' +
      'task-b4c9: Add input validation to /api/users endpoint\n' +
      'task-c5d0: Write docs (blocked by task-a3f8)\n',
  )
  expect(textOf(renderList([done, blocked], GZA, { ledgers: false }))).toBe(
    '#1 task-a3f8: Refactor auth middleware to use JWT (completed)\n#3 task-c5d0: Write docs (blocked by #1)\n',
  )
})

test('a list over all branches names the ledger of each task, and a run elsewhere its machine', () => {
  const running = aView({ status: 'in_progress', running_on: 'box', ledger: 'feature/x', content: 'X' })
  expect(textOf(renderList([running], TASKS, { ledgers: true }))).toBe(
    'task-a3f8: X (in_progress on box) [feature/x]\n',
  )
})

test('on a terminal the title is cut, never the id nor the state; elsewhere nothing is', () => {
  const long = aView({ content: 'x'.repeat(300), status: 'failed' })
  const [line = ''] = renderList([long], onTerminal(TASKS, 60), { ledgers: false })
  expect(Bun.stripANSI(line)).toBe(`task-a3f8: ${'x'.repeat(39)}… (failed)`)
  expect(Bun.stringWidth(line)).toBe(60)
  expect(textOf(renderList([long], TASKS, { ledgers: false }))).toContain('x'.repeat(300))
})

test('wide characters are counted by the columns they take', () => {
  const wide = aView({ content: '日本語'.repeat(30) })
  const [line = ''] = renderList([wide], onTerminal(TASKS, 40), { ledgers: false })
  expect(Bun.stringWidth(line)).toBeLessThanOrEqual(40)
  expect(Bun.stringWidth(line)).toBeGreaterThan(37)
})

test('an empty list is reported in the words of the program that was called', () => {
  expect(emptyList('main', TASKS)).toBe('No open tasks on main. Add one: git tasks add "…"')
  expect(emptyList('main', GZA)).toBe('No open tasks on main. Add one: gza add "…"')
})
