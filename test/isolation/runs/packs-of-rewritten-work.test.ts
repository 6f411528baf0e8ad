import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { anIsolatedRepo, LEVELS } from './isolated-repo.ts'

/** What git outside cannot take as single objects: history that is not a continuation, and commits elsewhere. */
const REWRITE = `
commit "$task.txt" one; git commit -q --amend -m amended; git gc -q --prune=now
save "$task.txt" two; git stash -q; git branch elsewhere; commit "again-$task.txt" again`

test('work that is fetched from a box leaves no packs, also if the person wants one of each fetch', () => {
  const [level = 'unshare'] = LEVELS
  const repo = anIsolatedRepo(level, { else: REWRITE }, { config: { land: 'merge' } })
  repo.git('config', 'transfer.unpackLimit', '1')
  repo.git('config', 'fetch.unpackLimit', '1')
  for (const name of ['one', 'two', 'three']) repo.add(name)
  const { code, stdout, stderr } = repo.work('--all')
  expect(code, stdout + stderr).toBe(0)
  for (const id of ['1', '2', '3']) expect(repo.task(id).runs).toMatchObject([{ outcome: 'completed' }])
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/gza/kept').split('\n')).toHaveLength(6)
  expect(readdirSync(join(repo.dir, '.git/objects/pack'))).toEqual([])
})
