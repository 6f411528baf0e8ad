import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../../../test/support/repo.ts'
import { findRepo } from './find-repo.ts'
import { readRefFiles } from './ref-files.ts'
import { listRefs } from './refs.ts'

const PLACES = ['refs/heads/', 'refs/tags/', 'refs/stash']

test('loose and packed refs are read as git lists them, the loose one if there are both', () => {
  const { repo, read, asked } = aRepoWithRefs()
  expect(read()).toEqual(asked())
  repo.git('pack-refs', '--all')
  expect(read()).toEqual(asked())
  repo.commit('second')
  repo.git('branch', 'feature/late')
  expect(read()).toEqual(asked())
  expect([...(read()?.keys() ?? [])]).toEqual([...asked().keys()])
})

test('a symbolic ref shows its target, and a lock file is not a ref', () => {
  const { repo, read } = aRepoWithRefs()
  repo.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main')
  writeFileSync(join(repo.dir, '.git/refs/heads/main.lock'), '')
  expect(read()?.get('refs/heads/alias')).toBe('ref:refs/heads/main')
  expect(read()?.has('refs/heads/main.lock')).toBe(false)
})

test('a damaged ref is left to git', () => {
  const { repo, read } = aRepoWithRefs()
  writeFileSync(join(repo.dir, '.git/refs/heads/torn'), 'abc')
  expect(read()).toBe(null)
})

function aRepoWithRefs() {
  const repo = aRepo()
  repo.commit('first')
  for (const branch of ['a', 'feature/x', 'feature/y/z']) repo.git('branch', branch)
  repo.git('tag', 'v1')
  repo.git('tag', '--annotate', '--message', 'Two', 'v2')
  const found = findRepo(repo.dir, repo.env)
  return { repo, read: () => readRefFiles(found, PLACES), asked: () => listRefs(found, ...PLACES) }
}
