import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { holdWriteLock } from '../support/hold-write-lock.ts'
import { add, aStartedRepo, ask, contents, gza, show } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { processesWithOpen } from '../support/running-processes.ts'
import { until } from '../support/until.ts'
import { refusalOf } from './refused-command.ts'

const GIT = Bun.which('git') ?? '/usr/bin/git'

const inGit = (repo: Repo, path: string) => join(repo.dir, '.git', path)

test('a locked index of git’s does not matter', () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  writeFileSync(inGit(repo, 'index.lock'), '')
  add(repo, 'two')
  gza(repo, 'note', '1', 'a note')
  gza(repo, 'done', '1')
  expect(contents(repo)).toEqual(['one', 'two'])
  expect(existsSync(inGit(repo, 'index.lock'))).toBe(true)
})

test('a lock that a dead git left on the ledger is an error for writers only, and is not taken away', () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  const lock = inGit(repo, 'refs/tasks/main.lock')
  writeFileSync(lock, '')
  const hoursAgo = Date.now() / 1000 - 3 * 3600 - 60
  utimesSync(lock, hoursAgo, hoursAgo)
  const refusal = refusalOf(repo, ['add', 'two'])
  expect(refusal).toEqual({
    exit: 1,
    code: 'REF_LOCKED',
    message: `git update-ref: a ref is locked: ${lock} has existed for 3 hours`,
    hint:
      'If no git process works in this repository, it was left by one that died: move the file elsewhere. ' +
      'Then run the command again; gza doctor shows more.',
  })
  expect(contents(repo)).toEqual(['one'])
  expect(repo.gza('doctor').stdout).toMatch(new RegExp(`${lock} has existed for 3 hours\n +If no git process works`))
  expect(existsSync(lock)).toBe(true)
  rmSync(lock)
  add(repo, 'two')
  expect(contents(repo)).toEqual(['one', 'two'])
})

test('a lock on the ledger that goes in time is waited for', () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  const lock = inGit(repo, 'refs/tasks/main.lock')
  writeFileSync(lock, '')
  const calls = join(repo.dir, '../calls')
  const isThird = `echo x >>${calls}; [ "$(wc -l <${calls})" -lt 3 ] || rm -f ${lock}`
  const git = repo.write('../bin/git', `#!/bin/sh\ncase "$*" in *update-ref*) ${isThird};; esac\nexec ${GIT} "$@"\n`)
  chmodSync(git, 0o755)
  const waiting = repo.withEnv({ PATH: [dirname(git), repo.env.PATH].join(delimiter) })
  expect(waiting.gza('add', 'two')).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(calls, 'utf8')).toBe('x\nx\nx\n')
  expect(contents(repo)).toEqual(['one', 'two'])
})

test('a lock on the notes that name tasks keeps no task from being done', () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  repo.commit('work')
  mkdirSync(inGit(repo, 'refs/notes'), { recursive: true })
  writeFileSync(inGit(repo, 'refs/notes/tasks.lock'), '')
  expect(repo.gza('done', '1')).toEqual({
    code: 0,
    stdout: '✓ Task #1 completed\n',
    stderr: expect.stringMatching(/^Warning: The commit has no note yet; gza sync adds it: git notes: .*\n$/),
  })
  expect(show(repo, 1)).toMatchObject({ status: 'completed', closed_commit: repo.git('rev-parse', 'HEAD') })
  rmSync(inGit(repo, 'refs/notes/tasks.lock'))
  repo.git('remote', 'add', 'origin', aRepo({ bare: true }).dir)
  gza(repo, 'sync')
  expect(repo.git('notes', '--ref=refs/notes/tasks', 'show', 'HEAD')).toBe(`${show(repo, 1).id}: one`)
})

/** How many processes have it open, the one that holds the lock among them. */
function usersOfIndex(repo: Repo): number {
  return processesWithOpen(inGit(repo, 'gza/state.db')).length
}

test('while another process holds the write lock, readers read and writers wait', async () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  contents(repo)
  const { release } = await holdWriteLock(repo)
  const writers = ['two', 'three'].map((content) => repo.start(['gza', 'add', content]))
  for (const args of [['list'], ['ready'], ['next'], ['show', '1'], ['status'], ['groups'], ['query', 'SELECT 1']])
    expect(repo.run(['gza', ...args], { timeout: 10_000 })).toMatchObject({ code: 0, stderr: '' })
  await until(() => usersOfIndex(repo) === 1 + writers.length, 'both writers have come to the index')
  expect(contents(repo)).toEqual(['one'])
  await release()
  for (const { code } of await Promise.all(writers)) expect(code).toBe(0)
  expect(contents(repo).toSorted()).toEqual(['one', 'three', 'two'])
})

test('a reader that finds the index behind while the lock is held gets the tasks all the same', async () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  const elsewhere = aStartedRepo()
  add(elsewhere, 'two')
  const { release } = await holdWriteLock(repo)
  repo.git('fetch', '--quiet', elsewhere.dir, '+refs/tasks/main:refs/tasks/main')
  const reading = repo.start(['gza', 'list', '--json'])
  await until(() => usersOfIndex(repo) === 2, 'the reader has come to the index')
  await release()
  const { code, stdout } = await reading
  expect({ code, titles: JSON.parse(stdout).map(({ title }: { title: string }) => title) }).toEqual({
    code: 0,
    titles: ['two'],
  })
  expect(ask<unknown[]>(repo, 'list')).toHaveLength(1)
})
