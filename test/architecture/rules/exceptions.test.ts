import { expect, test } from 'bun:test'
import { missingExceptions } from './exceptions.ts'

test('an exception for a file or a folder that does not exist is found', () => {
  const sources = [{ path: 'src/tasks/a.ts', text: '' }]
  expect(missingExceptions(sources, ['src/tasks/', 'src/tasks/a.ts'])).toEqual([])
  expect(missingExceptions(sources, ['src/runs/', 'src/tasks/a', 'src/tasks/b.ts'])).toEqual([
    'src/runs/: a rule exempts it, but it does not exist',
    'src/tasks/a: a rule exempts it, but it does not exist',
    'src/tasks/b.ts: a rule exempts it, but it does not exist',
  ])
})
