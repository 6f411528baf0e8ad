import { expect, test } from 'bun:test'
import { dependencyKind, dependencyKinds, fileDependencies } from './dependency-kinds.ts'

test('parts of one split wait for each other because of the split', () => {
  const part = (key: string, parent?: `task-${string}`) => ({ key, ...(parent && { parent }) })
  expect(dependencyKind(part('T1-b', 'task-1'), part('T1-a', 'task-1'))).toBe('split')
  expect(dependencyKind(part('T1-b', 'task-1'), part('T1-a', 'task-2'))).toBe('explicit')
  expect(dependencyKind(part('T1-b'), part('T1-a'))).toBe('explicit')
  expect(dependencyKind(part('T1-aa', 'task-1'), part('T1-z', 'task-1'))).toBe('split')
  expect(dependencyKind(part('set-ui', 'task-1'), part('set-db', 'task-1'))).toBe('explicit')
  expect(dependencyKind(part('T2', 'task-1'), part('T1', 'task-1'))).toBe('explicit')
})

test('a task that modifies what another creates waits for the file', () => {
  expect(dependencyKind({ files_to_modify: ['./a.ts'] }, { files_to_create: ['a.ts'] })).toBe('file')
  expect(dependencyKind({ files_to_modify: ['b.ts'] }, { files_to_create: ['a.ts'] })).toBe('explicit')
})

test('an explicit dependency is listed besides the one by files; one that a plan derived from its files is not explicit', () => {
  const needed = { ref: 'task-1' as const, files_to_create: ['a.ts'] }
  const waiting = { files_to_modify: ['a.ts'] }
  expect(dependencyKinds(waiting, needed)).toEqual(['explicit', 'file'])
  expect(dependencyKinds({ ...waiting, key: 'T2', plan_file: 'p.md' }, needed)).toEqual(['file'])
  expect(dependencyKinds({ ...waiting, key: 'T2', plan_file: 'p.md', after: ['task-1'] }, needed)).toEqual([
    'explicit',
    'file',
  ])
  expect(dependencyKinds({}, needed)).toEqual(['explicit'])
  const part = (key: string) => ({ key, parent: 'task-9' }) as const
  expect(dependencyKinds(part('T1-b'), { ...part('T1-a'), ref: 'task-1' })).toEqual(['split'])
})

test('file dependencies: every other creator of a file, each once, and never the task itself', () => {
  const one = { files_to_create: ['a', 'b'] }
  const two = { files_to_create: ['c'], files_to_modify: ['a', './b', 'c'] }
  const three = { files_to_modify: ['c', 'x'] }
  expect(fileDependencies([one, two, three])).toEqual(
    new Map<object, object[]>([
      [two, [one]],
      [three, [two]],
    ]) as never,
  )
})
