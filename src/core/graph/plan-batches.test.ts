import { expect, test } from 'bun:test'
import { type Plannable, planBatches } from './plan-batches.ts'

function aTask(uid: string, more: Partial<Plannable> = {}): Plannable {
  return { uid, files: [], needs: [], isResting: false, ...more }
}

function plan(tasks: Plannable[], slots: number, limit = Number.POSITIVE_INFINITY): string[] {
  return planBatches(tasks, { slots, limit }).map((batch) => batch.map(({ uid }) => uid).join(' '))
}

test('as many tasks run together as there are slots, in their order', () => {
  expect(plan([aTask('a'), aTask('b'), aTask('c')], 2)).toEqual(['a b', 'c'])
  expect(plan([], 2)).toEqual([])
})

test('tasks that touch the same file run one after the other, and later tasks may go first', () => {
  const tasks = [aTask('a', { files: ['x'] }), aTask('b', { files: ['./x'] }), aTask('c', { files: ['y'] })]
  expect(plan(tasks, 2)).toEqual(['a c', 'b'])
})

test('a task follows those it needs; one that needs a task outside the plan is left out, and so is what needs it', () => {
  const tasks = [aTask('b', { needs: ['a'] }), aTask('a'), aTask('c', { needs: ['z'] }), aTask('d', { needs: ['c'] })]
  expect(plan(tasks, 4)).toEqual(['a', 'b'])
})

test('the limit counts tasks', () => {
  expect(plan([aTask('a'), aTask('b'), aTask('c')], 2, 1)).toEqual(['a'])
  expect(plan([aTask('a'), aTask('b'), aTask('c'), aTask('d')], 2, 3)).toEqual(['a b', 'c'])
})

test('a task that rests after a failure lets others go first, and runs when there is no other', () => {
  expect(plan([aTask('a', { isResting: true }), aTask('b'), aTask('c')], 1)).toEqual(['b', 'a', 'c'])
  expect(plan([aTask('a', { isResting: true })], 1)).toEqual(['a'])
})
