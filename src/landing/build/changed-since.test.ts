import { expect, test } from 'bun:test'
import { aRepo } from '../../../test/support/repo.ts'
import { changedSince } from './changed-since.ts'

test('each tip has the files that it changed since it left the base, whatever their names', () => {
  const repo = aRepo()
  const start = repo.commit('first', { a: '1', b: '1' })
  const branch = (name: string, files: Record<string, string>) => {
    repo.git('checkout', '-q', '-b', name, start)
    return repo.commit(name, files)
  }
  const changes = branch('changes', { a: '2', 'c d': '1' })
  const names = branch('names', { [`${changes}\nx`]: '1', [`:100644 ${changes}`]: '1', 'ä"': '1' })
  const same = branch('same', {})
  repo.git('rm', '-q', 'b')
  const removes = repo.commit('removes')
  repo.git('checkout', '-q', '--orphan', 'stranger')
  const stranger = repo.commit('stranger', { a: '1', e: '1' })
  repo.git('checkout', '-q', 'main')
  const base = repo.commit('second', { b: '2', z: '1' })
  repo.git('checkout', '-q', '-b', 'merged', changes)
  repo.git('merge', '-q', '--no-edit', base)
  const merged = repo.git('rev-parse', 'HEAD')
  const found = changedSince(repo, base, [changes, names, same, removes, stranger, merged])
  expect(Object.fromEntries([...found].map(([tip, files]) => [tip, files.map(({ path }) => path).toSorted()]))).toEqual(
    {
      [changes]: ['a', 'c d'],
      [names]: [`${changes}\nx`, `:100644 ${changes}`, 'ä"'].toSorted(),
      [same]: [],
      [removes]: ['b'],
      [stranger]: ['b', 'e', 'z'],
      [merged]: ['a', 'c d'],
    },
  )
  expect(changedSince(repo, base, [])).toEqual(new Map())
})
