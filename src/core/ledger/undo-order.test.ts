import { expect, test } from 'bun:test'
import { isCommand, type OwnCommit, undoOrder } from './undo-order.ts'

test('undo starts at the last command and continues with the one before', () => {
  const { done, undone } = orderOf('add a', 'edit a', 'done a')
  expect(done).toEqual(['done a', 'edit a', 'add a'])
  expect(undone).toEqual([])
})

test('what was undone can be brought back, the last one first', () => {
  const { done, undone } = orderOf('add a', 'edit a', ['undo edit a', 1], ['undo add a', 0])
  expect(done).toEqual([])
  expect(undone).toEqual(['add a', 'edit a'])
})

test('a redo is taken back like the command that it brought back', () => {
  const { done, undone } = orderOf('add a', ['undo add a', 0], ['redo add a', 1])
  expect([done, undone]).toEqual([['add a'], []])
  const again = orderOf('add a', ['undo add a', 0], ['redo add a', 1], ['undo add a', 2])
  expect([again.done, again.undone]).toEqual([[], ['add a']])
})

test('after a new command nothing can be brought back, but a fact of a run changes nothing', () => {
  const fact = orderOf('add a', 'add b', ['undo add b', 1], 'end task-a3f8 complete')
  expect([fact.done, fact.undone]).toEqual([['add a'], ['add b']])
  const command = orderOf('add a', 'add b', ['undo add b', 1], 'add c')
  expect([command.done, command.undone]).toEqual([['add c', 'add a'], []])
})

test.each([
  'start task-a3f8 attempt 1',
  'end task-a3f8 complete',
  'implement task-a3f8',
  'review task-a3f8 cycle 1 APPROVED',
  'reopen task-a3f8: dirty tree',
  'land task-a3f8 on main',
  'send back task-a3f8 (conflict)',
  'claim task-a3f8',
  'link task-a3f8 1234567, task-b3f8 2345678',
  'carry over 2 tasks of feature',
  'sync 3 tasks with Linear',
])('%s is a fact, not a command', (subject) => {
  expect(isCommand({ parents: ['p'], subject })).toBe(false)
})

test.each([
  'add task-a3f8',
  'start task-a3f8 in 3 steps',
  'link task-a3f8 to TODO.md',
  'reopen task-a3f8',
  'retry task-a3f8',
  'resolve task-a3f8 abort',
  'import plan review.md: 3 new, 0 changed',
  'assign task-a3f8 claude',
])('%s is a command', (subject) => {
  expect(isCommand({ parents: ['p'], subject })).toBe(true)
})

test('a join is not a command', () => {
  expect(isCommand({ parents: ['p', 'q'], subject: 'add task-a3f8' })).toBe(false)
})

/** Commits named by their index; a pair reverts the commit with that index. */
function orderOf(...history: (string | [subject: string, undoes: number])[]) {
  const commits = history.map((each, i): OwnCommit => {
    const [subject, undoes] = typeof each === 'string' ? [each, null] : [each[0], String(each[1])]
    return { commit: String(i), parents: ['p'], subject, undoes }
  })
  const { done, undone } = undoOrder(commits)
  return { done: done.map(({ command }) => command), undone: undone.map(({ command }) => command) }
}
