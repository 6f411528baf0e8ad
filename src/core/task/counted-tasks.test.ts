import { expect, test } from 'bun:test'
import { type Counted, countedTasks } from './counted-tasks.ts'

test('a parent is not counted, only its children are, unless it is running or has failed itself', () => {
  const task = (uid: string, parent: string | null, status: Counted['status'] = 'pending') => ({ uid, parent, status })
  const tasks = [
    ...[task('top', null), task('whole', 'top'), task('a', 'whole', 'completed'), task('b', 'whole')],
    ...[task('failed', 'top', 'failed'), task('c', 'failed'), task('runs', null, 'in_progress'), task('d', 'runs')],
    task('elsewhere', 'unknown'),
  ]
  expect(countedTasks(tasks).map(({ uid }) => uid)).toEqual(['a', 'b', 'failed', 'c', 'runs', 'd', 'elsewhere'])
})
