import { expect, test } from 'bun:test'
import { plural } from './plural.ts'

test('one is singular, and all other counts are plural', () => {
  expect([0, 1, 2].map((count) => plural(count, 'task'))).toEqual(['0 tasks', '1 task', '2 tasks'])
  expect([1, 3].map((count) => plural(count, 'dependency', 'dependencies'))).toEqual(['1 dependency', '3 dependencies'])
})
