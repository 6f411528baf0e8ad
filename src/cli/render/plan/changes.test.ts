import { expect, test } from 'bun:test'
import { GZA, onTerminal, TASKS } from '../../../../test/cli/displays.ts'
import { aView } from '../../../../test/cli/task-view.ts'
import { renderAdded, renderDeleted, renderDone, renderEdited, renderNoted } from './changes.ts'

test('git tasks add answers with the id, the content, and what it comes after', () => {
  expect(renderAdded(aView(), TASKS)).toEqual(['task-a3f8: Refactor auth middleware to use JWT'])
  const after = aView({ id: 'task-b4c9', content: 'Write tests for JWT auth', after: ['task-a3f8'] })
  expect(renderAdded(after, TASKS)).toEqual(['task-b4c9: Write tests for JWT auth (after task-a3f8)'])
})

test('several dependencies, whichever flag gave them, are named once each', () => {
  const task = aView({ after: ['task-1111', 'task-2222'], depends_on: ['task-2222'], based_on: ['task-3333'] })
  expect(renderAdded(task, TASKS)).toEqual([
    'task-a3f8: Refactor auth middleware to use JWT (after task-1111, task-2222, task-3333)',
  ])
})

test('gza add answers with number and id', () => {
  expect(renderAdded(aView({ number: 29, content: 'Add feature X' }), GZA)).toEqual([
    'Created task #29 (task-a3f8): Add feature X',
  ])
})

test('a content of several lines answers with its first', () => {
  expect(renderAdded(aView({ content: 'Title\n\nand a long text' }), TASKS)).toEqual(['task-a3f8: Title'])
})

test('done says done under git tasks, and completed under gza', () => {
  const status = 'completed'
  expect(renderDone([aView({ status })], TASKS)).toEqual(['task-a3f8: done'])
  expect(renderDone([aView({ number: 1, status }), aView({ number: 2, status })], GZA)).toEqual([
    '✓ Task #1 completed',
    '✓ Task #2 completed',
  ])
  // What gza is running it closes itself, after its checks.
  expect(renderDone([aView({ status: 'in_progress' })], TASKS)).toEqual(['task-a3f8: reported as done, not closed yet'])
})

test('edit, delete and note answer in the same manner', () => {
  expect(renderEdited(aView(), TASKS)).toEqual(['task-a3f8: edited'])
  expect(renderDeleted([aView()], TASKS)).toEqual(['task-a3f8: deleted'])
  expect(renderNoted(aView(), GZA)).toEqual(['✓ Task #1 noted'])
})

test('escapes in a title are shown, and colours change nothing but colours', () => {
  const task = aView({ content: '\x1b[2Jgone' })
  const [plain = ''] = renderAdded(task, TASKS)
  const [coloured = ''] = renderAdded(task, onTerminal(TASKS, 80))
  expect(plain).toBe('task-a3f8: \\x1b[2Jgone')
  expect(Bun.stripANSI(coloured)).toBe(plain)
})
