/** The lock of packed refs that a killed git has left: without it gone, git deletes no ref. */
import { expect, test } from 'bun:test'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from '../../support/built-program.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

const [level = 'unshare'] = LEVELS

function leaveLock(repo: IsolatedRepo, minutes: number): string {
  const lock = join(repo.dir, '.git/packed-refs.lock')
  writeFileSync(lock, '')
  const then = Date.now() / 1000 - minutes * 60
  utimesSync(lock, then, then)
  return lock
}

function aRepo(acts: Record<string, string> = {}): IsolatedRepo {
  const repo = anIsolatedRepo(level, acts, { config: { verify: { command: 'true' } } })
  repo.add('One')
  return repo
}

/** Other gits of this machine may be older than the lock. Here gza sees only its own processes. */
const ALONE = process.getuid?.() === 0 ? ['unshare', '--pid', '--fork', '--mount-proc'] : []

function gza(repo: IsolatedRepo, ...args: string[]) {
  return repo.run([...ALONE, ...repo.commandLine(...args)])
}

const SAID =
  /packed-refs\.lock has existed for 20 minutes, and no git is alive that could have made it: gza has removed it/

test('an old one stops neither work nor gza merge: it is named and removed', () => {
  const repo = aRepo()
  const lock = leaveLock(repo, 20)
  const worked = gza(repo, 'work', '1')
  expect(worked.code, worked.stdout + worked.stderr).toBe(0)
  expect(worked.stderr).toMatch(SAID)
  expect(existsSync(lock)).toBe(false)
  leaveLock(repo, 20)
  const merged = gza(repo, 'merge', '1')
  expect(merged.code, merged.stdout + merged.stderr).toBe(0)
  expect(merged.stderr).toMatch(SAID)
  expect(repo.task('1').landings).toMatchObject([{ outcome: 'landed' }])
  expectNothingLeft(repo)
})

test('git tasks run continues too', () => {
  const repo = aRepo({ else: 'commit a.txt a; git tasks done "$task"' })
  const lock = leaveLock(repo, 20)
  const { code, stdout, stderr } = repo.run([...ALONE, bin('git-tasks'), 'run', '--once', '--delay', '0'])
  expect(code, stdout + stderr).toBe(0)
  expect(stdout + stderr).toMatch(SAID)
  expect(existsSync(lock)).toBe(false)
})

test('a young one may be that of a living git: it stays, and what it stops is named', () => {
  const repo = aRepo()
  repo.work('1')
  const lock = leaveLock(repo, 5)
  const merged = gza(repo, 'merge', '1')
  expect(existsSync(lock)).toBe(true)
  expect(merged.stdout + merged.stderr).toContain(`${lock} has existed for 5 minutes`)
  expect(repo.gza('doctor').stdout).toContain(`${lock} has existed for 5 minutes`)
  leaveLock(repo, 20)
  const again = gza(repo, 'merge', '1')
  expect(again.code, again.stdout + again.stderr).toBe(0)
  expect(repo.task('1').landings.at(-1)).toMatchObject({ outcome: 'landed' })
  expectNothingLeft(repo)
})
