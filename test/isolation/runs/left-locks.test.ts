import { expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { anIsolatedRepo, expectNothingLeft, LEVELS } from './isolated-repo.ts'

test('a lock of packed refs that a dead git has left stops no attempt, and nothing is left once it is gone', () => {
  const [level = 'unshare'] = LEVELS
  const act = '[ ! -e "$beside/failed" ] && { touch "$beside/failed"; exit 3; }; commit a.txt a'
  const repo = anIsolatedRepo(level, { else: act }, { defaults: { max_attempts: 2 } })
  repo.add('Twice')
  const lock = join(repo.dir, '.git/packed-refs.lock')
  writeFileSync(lock, '')
  const { code, stdout, stderr } = repo.work('1')
  expect(code, stdout + stderr).toBe(0)
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'failed' }, { outcome: 'completed' }])
  // It may be the person's.
  expect(existsSync(lock)).toBe(true)
  rmSync(lock)
  repo.work()
  expectNothingLeft(repo)
})
