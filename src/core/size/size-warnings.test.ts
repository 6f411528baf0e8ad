import { expect, test } from 'bun:test'
import { BUILT_IN } from '../config/built-in.ts'
import { sizeWarnings } from './size-warnings.ts'

test('each soft limit warns as soon as it is exceeded', () => {
  const of = (more: number) => ({
    title: 'x'.repeat(80 + more),
    files_to_create: Array(5 + more).fill('a'),
    files_to_modify: Array(8 + more).fill('a'),
    acceptance_criteria: Array(7 + more).fill('a'),
  })
  expect(sizeWarnings(of(0), BUILT_IN.task_size_limits)).toEqual([])
  expect(sizeWarnings(of(1), BUILT_IN.task_size_limits)).toEqual([
    '6 files to create; 5 is the recommended limit',
    '9 files to modify; 8 is the recommended limit',
    '8 acceptance criteria; 7 is the recommended limit',
    '81 characters in its title; 80 is the recommended limit',
  ])
})
