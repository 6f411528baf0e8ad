import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { anIsolatedRepo, LEVELS } from './isolated-repo.ts'

test('ordinary work leaves no packs in the repository, however many tasks it brings back', () => {
  const [level = 'unshare'] = LEVELS
  const act = 'commit "$task.txt" "$task"; save "left-$task.txt" left'
  const repo = anIsolatedRepo(level, { else: act }, { config: { land: 'merge' } })
  for (const name of ['one', 'two', 'three']) repo.add(name)
  expect(repo.work('--all').code).toBe(0)
  for (const id of ['1', '2', '3']) expect(repo.task(id).runs).toMatchObject([{ outcome: 'completed' }])
  expect(readdirSync(join(repo.dir, '.git/objects/pack'))).toEqual([])
})
