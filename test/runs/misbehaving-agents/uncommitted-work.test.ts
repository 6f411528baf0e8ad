import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anAgentRepo } from '../../support/scripted-agent.ts'

test('what an agent left uncommitted is committed for it, with the task’s title, and counts', () => {
  const act = 'commit a.txt one; echo two >>a.txt; save new/b.txt b; git rm -q README.md; git add new'
  const repo = anAgentRepo({ forgetful: act })
  repo.add('forgetful')
  expect(repo.gza('work').code).toBe(0)
  const branch = repo.task('1').branch ?? ''
  expect(repo.git('log', '--format=%s', `main..${branch}`)).toBe('forgetful\nforgetful: a.txt')
  expect(repo.git('ls-tree', '-r', '--name-only', branch)).toBe('a.txt\ngza.yaml\nnew/b.txt')
  expect(repo.git('show', `${branch}:a.txt`)).toBe('one\ntwo')
  expect(repo.worktrees()).toEqual([])
})

test('the check runs on that commit', () => {
  const repo = anAgentRepo(
    { forgetful: 'save a.txt bad' },
    { defaults: { max_attempts: 1 }, config: { verify: { command: 'test "$(git show HEAD:a.txt)" = good' } } },
  )
  repo.add('forgetful')
  repo.gza('work', '--no-base-check')
  expect(repo.task('1').runs).toMatchObject([{ reason: 'verify-failed' }])
})

test.each([
  ['a likely secret by its name', 'save .env "TOKEN=abc"', '.env'],
  ['a private key by its text', 'save notes.md "$(ssh-keygen -qt ed25519 -N "" -f k; cat k; rm k k.pub)"', 'notes.md'],
  ['a file over 5 MB', 'head -c 5300000 /dev/zero >big.bin', 'big.bin'],
])('%s is not committed: it stays where it is and a person is asked', (_, act, file) => {
  const repo = anAgentRepo({ forgetful: `save good.txt good; ${act}` })
  repo.add('forgetful')
  repo.add('honest')
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ forgetful: 'failed', honest: 'completed' })
  expect(repo.inbox()).toMatchObject([{ code: 'SECRETS_LEFT', detail: expect.stringContaining(file) }])
  expect(repo.calls().filter(({ title }) => title === 'forgetful')).toHaveLength(1)
  const [worktree = ''] = repo.worktrees()
  expect(readFileSync(join(worktree, file)).length).toBeGreaterThan(0)
  const branch = repo.task('1').branch ?? ''
  expect(repo.git('ls-tree', '--name-only', branch, 'good.txt', file)).toBe('good.txt')
})

test('once a person has dealt with it the task can be tried again', () => {
  const act = 'if [ -e good.txt ]; then commit more.txt more; else save good.txt good; save .env "TOKEN=abc"; fi'
  const repo = anAgentRepo({ forgetful: act })
  repo.add('forgetful')
  repo.gza('work')
  const [worktree = ''] = repo.worktrees()
  repo.run(['rm', join(worktree, '.env')])
  expect(repo.gza('retry', '1').code).toBe(0)
  expect(repo.statuses()).toEqual({ forgetful: 'completed' })
  expect(repo.worktrees()).toEqual([])
})

test('artifacts below .gza do not count as work of the branch, and keep the worktree', () => {
  const repo = anAgentRepo({ forgetful: 'save .gza/notes.md mine; commit a.txt a' })
  repo.add('forgetful')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.git('ls-tree', '-r', '--name-only', repo.task('1').branch ?? '')).toBe('README.md\na.txt\ngza.yaml')
  const [worktree = ''] = repo.worktrees()
  expect(readFileSync(join(worktree, '.gza/notes.md'), 'utf8')).toBe('mine\n')
})

test('ignored files do not count as work and do not keep the worktree', () => {
  const repo = anAgentRepo({ forgetful: 'save build/out.o o; commit a.txt a' }, { files: { '.gitignore': 'build/\n' } })
  repo.add('forgetful')
  repo.gza('work')
  expect(repo.worktrees()).toEqual([])
})

test('work left in a rebase, on another branch or on none is not taken for the task’s, and not lost', () => {
  const repo = anAgentRepo(
    { detached: 'git checkout -q --detach; commit a.txt a', strayed: 'git checkout -q -b elsewhere; commit b.txt b' },
    // In a box, the branch is not one of the repository: test/isolation/runs/ends.test.ts.
    { defaults: { max_attempts: 1 }, isolation: 'off' },
  )
  repo.add('detached')
  repo.add('strayed')
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ detached: 'failed', strayed: 'failed' })
  expect(repo.git('show', 'elsewhere:b.txt')).toBe('b')
  const kept = repo.worktrees().map((path) => repo.run(['git', 'show', 'HEAD:a.txt'], { cwd: path }).stdout)
  expect(kept).toContain('a\n')
})
