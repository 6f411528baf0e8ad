import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isFinished } from '../task/status-predicates.ts'
import { taskTree } from '../task/task-tree.ts'
import { type OutlineTask, openFamilies, outline, pathTo, stateWords } from './outline.ts'

function aTask(id: string, parent: string | null, fields: Partial<OutlineTask> = {}): OutlineTask {
  const nobody = { assigned_agent: null, agent_status: null }
  return { id, parent, title: id, status: 'pending', ...nobody, plan_file: null, ...fields }
}

function position(tasks: readonly OutlineTask[]): string | undefined {
  return outline(taskTree(tasks)).find(({ current }) => current)?.task.id
}

test('the current task is the first unfinished one without parts, depth first', () => {
  const done = { status: 'completed' } as const
  const tasks = [
    aTask('auth', null),
    aTask('brainstorm', 'auth', done),
    aTask('execute', 'auth'),
    aTask('task-1', 'execute', done),
    aTask('task-2', 'execute'),
    aTask('implementation', 'task-2', done),
    aTask('review', 'task-2'),
    aTask('finish', 'auth'),
  ]
  expect(position(tasks)).toBe('review')
  const rows = outline(taskTree(tasks))
  const at = rows.findIndex(({ current }) => current)
  expect(pathTo(rows, at).map(({ task }) => task.id)).toEqual(['auth', 'execute', 'task-2', 'review'])
})

test('skipped counts as finished, failed does not; a whole whose parts are all finished comes last', () => {
  expect(position([aTask('a', null, { status: 'skipped' }), aTask('b', null, { status: 'failed' })])).toBe('b')
  expect(position([aTask('a', null), aTask('b', 'a', { status: 'completed' })])).toBe('a')
  expect(position([aTask('a', null, { status: 'completed' })])).toBeUndefined()
})

test('the assigned agent and its status follow a task only if agents share the work', () => {
  const agent = { assigned_agent: 'backend' }
  expect(stateWords(aTask('a', null, { ...agent, status: 'completed' }), { isShared: true })).toBe(
    '@backend, completed',
  )
  expect(stateWords(aTask('a', null, agent), { isShared: true })).toBe('@backend, active')
  expect(stateWords(aTask('a', null, agent), { isShared: true, step: 'Spec review' })).toBe('@backend, in spec review')
  expect(stateWords(aTask('a', null), { isShared: true })).toBe('pending')
  expect(stateWords(aTask('a', null), { isShared: false })).toBe('')
  expect(stateWords(aTask('a', null, { status: 'failed' }), { isShared: false })).toBe('failed')
})

test('in any forest at most one task is current, it is unfinished, and there is one whenever something is unfinished', () => {
  const forest = fc
    .array(fc.record({ up: fc.nat(), isDone: fc.boolean() }), { maxLength: 30 })
    .map((nodes) =>
      nodes.map(({ up, isDone }, at) =>
        aTask(`t${at}`, at === 0 || up % 3 === 0 ? null : `t${up % at}`, { status: isDone ? 'completed' : 'pending' }),
      ),
    )
  fc.assert(
    fc.property(forest, (tasks) => {
      const rows = outline(taskTree(tasks))
      const current = rows.filter((row) => row.current)
      expect(rows).toHaveLength(tasks.length)
      expect(current).toHaveLength(tasks.every(isFinished) ? 0 : 1)
      expect(current.every(({ task }) => !isFinished(task))).toBe(true)
      const kept = openFamilies(taskTree(tasks)).map(({ task }) => task)
      expect(kept.filter((task) => !isFinished(task))).toHaveLength(tasks.filter((task) => !isFinished(task)).length)
    }),
  )
})
