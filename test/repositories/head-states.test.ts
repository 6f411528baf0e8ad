import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { add, aStartedRepo, ask, contents, gza } from '../support/ledger-calls.ts'
import { aRepo } from '../support/repo.ts'
import { liveThere } from './task-life.ts'

test('a detached HEAD is an error that names the ways out, for reading and for writing', () => {
  const repo = aStartedRepo()
  add(repo, 'on main')
  repo.git('checkout', '--quiet', '--detach')
  const short = repo.git('rev-parse', '--short=7', 'HEAD')
  for (const args of [['list'], ['add', 'x'], ['ready'], ['done', '1'], ['pr']]) {
    expect(repo.gza(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `Error: HEAD is detached at ${short}, so no branch selects the tasks\n` +
        '  Check out a branch, or name the ledger: --branch main (or GZA_BRANCH=main, or `ledger: main` in gza.yaml)\n',
    })
  }
})

test('each of the ways out works', () => {
  const repo = aStartedRepo()
  add(repo, 'on main')
  repo.git('checkout', '--quiet', '--detach')
  liveThere(repo, '--branch', 'other')
  expect(contents(repo, '--branch', 'main')).toEqual(['on main'])
  expect(contents(repo.withEnv({ GZA_BRANCH: 'main' }))).toEqual(['on main'])
  repo.write('gza.yaml', 'ledger: main\n')
  expect(contents(repo)).toEqual(['on main'])
})

test('what concerns all ledgers needs none to be named', () => {
  const repo = aRepo({ bare: true }).clone()
  repo.commit('first')
  add(repo, 'on main')
  add(repo, 'on gone', '--branch', 'gone')
  repo.git('checkout', '--quiet', '--detach')
  const asked = (...args: string[]) => ask<Record<string, unknown>[]>(repo, ...args)
  expect(asked('list', '--all-branches').map(({ ledger }) => ledger)).toEqual(['gone', 'main'])
  expect(asked('verify', '--all-branches').map(({ ledger }) => ledger)).toEqual(['gone', 'main'])
  expect(asked('query', 'SELECT count(*) AS tasks FROM tasks', '--all-branches')).toEqual([{ tasks: 2 }])
  expect(repo.gza('init').stdout).toContain('Tasks of <branch> are kept in refs/tasks/<branch>\n')
  expect(repo.gza('sync').stdout).toBe('gone: pushed to origin (1 task)\nmain: pushed to origin (1 task)\n')
  expect(repo.gza('prune', '--archive-open').stdout).toBe('gone: archived as refs/tasks-archive/gone (1 open task)\n')
  expect(repo.gza('trust', '--show').code).toBe(0)
  const { code, stdout } = repo.gza('doctor')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^warn {2}head +HEAD is detached at .*\n.*--branch main/m)])
})

test('--branch beats GZA_BRANCH, which beats gza.yaml, which beats the current branch', () => {
  const repo = aStartedRepo()
  for (const ledger of ['flag', 'variable', 'file', 'main']) add(repo, `on ${ledger}`, '--branch', ledger)
  repo.write('gza.yaml', 'ledger: file\n')
  const env = repo.withEnv({ GZA_BRANCH: 'variable' })
  expect(contents(env, '--branch', 'flag')).toEqual(['on flag'])
  expect(contents(env)).toEqual(['on variable'])
  expect(contents(repo)).toEqual(['on file'])
  rmSync(`${repo.dir}/gza.yaml`)
  expect(contents(repo)).toEqual(['on main'])
})

test('during a rebase HEAD is detached: the error says so, --branch works, and afterwards all is as before', () => {
  const repo = aStartedRepo()
  repo.commit('one', { file: 'one\n' })
  repo.git('checkout', '--quiet', '-b', 'feature', 'HEAD~1')
  add(repo, 'on the feature')
  repo.commit('two', { file: 'two\n' })
  expect(repo.run(['git', 'rebase', 'main']).code).not.toBe(0)
  expect(repo.gza('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('HEAD is detached') })
  expect(contents(repo, '--branch', 'feature')).toEqual(['on the feature'])
  gza(repo, 'note', '1', 'in the middle', '--branch', 'feature')
  repo.git('rebase', '--abort')
  expect(contents(repo)).toEqual(['on the feature'])
})

test('during a merge with conflicts, a cherry-pick and a bisect the tasks are there', () => {
  const repo = aStartedRepo()
  repo.commit('one', { file: 'one\n' })
  repo.git('checkout', '--quiet', '-b', 'feature', 'HEAD~1')
  repo.commit('two', { file: 'two\n' })
  add(repo, 'on the feature')
  expect(repo.run(['git', 'merge', 'main']).code).not.toBe(0)
  gza(repo, 'note', '1', 'in a merge')
  repo.git('merge', '--abort')
  expect(repo.run(['git', 'cherry-pick', 'main']).code).not.toBe(0)
  gza(repo, 'note', '1', 'in a cherry-pick')
  repo.git('cherry-pick', '--abort')
  expect(contents(repo)).toEqual(['on the feature'])
})

test('a branch without tasks says which ledgers have some', () => {
  const repo = aStartedRepo()
  add(repo, 'on main')
  repo.git('checkout', '--quiet', '-b', 'empty')
  expect(repo.gza('list')).toEqual({
    code: 0,
    stdout: '',
    stderr:
      'No open tasks on empty. Add one: gza add "…"\n' +
      'Warning: empty has no tasks; there are open tasks on: main (1). Show them with --branch main\n',
  })
})

test('branch names with all that git allows', () => {
  const repo = aStartedRepo()
  for (const branch of ['a/b/c', 'ünï', 'with@at', 'a#1', '100%', "it's", 'a"b', '$HOME', '(x)', 'tasks/x', 'x;y']) {
    repo.git('checkout', '--quiet', '-b', branch)
    add(repo, `on ${branch}`)
    expect(contents(repo)).toEqual([`on ${branch}`])
    expect(repo.gza('verify').code).toBe(0)
  }
  const clone = aRepo({ bare: true })
  gza(repo, 'sync', clone.dir)
  expect(contents(repo, '--all-branches')).toHaveLength(11)
})

test.each(['a..b', 'a b', '-x', 'a~1', 'a^', 'a:b', 'a.lock', '/a', 'a/', 'a//b', '@{x', 'a\\b', '.a'])(
  'a name that no branch can have is refused: %s',
  (branch) => {
    const repo = aStartedRepo()
    expect(repo.gza('add', 'x', `--branch=${branch}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be the name of a branch'),
    })
  },
)
