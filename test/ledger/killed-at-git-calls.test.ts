import { expect, test } from 'bun:test'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { answersOf, exportedTasks, outputOf, rebuiltAnswers } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

/** The repository seen through a `git` that kills its caller, before, after or instead of one of its commands. */
function withDeadlyGit(repo: Repo, when: 'before' | 'after' | 'instead of', command: string): Repo {
  const folder = join(repo.dir, '..')
  const git = Bun.which('git', { PATH: repo.env.PATH as string })
  const then = when === 'instead of' ? '; exit 1' : ''
  const kill = `case " $* " in *" ${command} "*) kill -9 $PPID${then} ;; esac`
  const script = when !== 'after' ? `${kill}\nexec ${git} "$@"` : `${git} "$@"\ncode=$?\n${kill}\nexit $code`
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return repo.withEnv({ PATH: [folder, repo.env.PATH].join(delimiter) })
}

const SIGKILLED = 137
const points = [
  { when: 'instead of', command: 'update-ref', isWritten: false },
  { when: 'after', command: 'update-ref', isWritten: true },
  // Git writes the objects too, if it is told how.
  { when: 'before', command: 'fast-import', isWritten: false, key: 'core.fsync' },
  { when: 'after', command: 'fast-import', isWritten: false, key: 'core.fsync' },
] as const

for (const { when, command, isWritten, ...setting } of points) {
  test(`a write killed ${when} git ${command} ${isWritten ? 'is there' : 'never was'}, and the next command knows`, () => {
    const repo = aRepo()
    if ('key' in setting) repo.git('config', setting.key, 'loose-object')
    outputOf(repo.gza('add', 'first'))
    expect(withDeadlyGit(repo, when, command).gza('add', 'killed').code).toBe(SIGKILLED)

    const contents = ['first', ...(isWritten ? ['killed'] : [])]
    expect(exportedTasks(repo).map(({ content }) => content)).toEqual(contents)
    outputOf(repo.gza('add', 'next'))
    expect(exportedTasks(repo).map(({ content, number }) => [content, number])).toEqual(
      [...contents, 'next'].map((content, index) => [content, index + 1]),
    )
    expect(repo.git('for-each-ref', '--format=%(refname)')).toBe('refs/tasks/main')
    expect(outputOf(repo.gza('verify'))).toStartWith('main: ok')
    expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
  })
}

test('a command killed while it brings the index up to date leaves the old one whole', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'first'))
  repo.git('fetch', '--quiet', moved(repo).dir, '+refs/tasks/main:refs/tasks/main')
  expect(withDeadlyGit(repo, 'after', 'cat-file').gza('list').code).toBe(SIGKILLED)
  expect(exportedTasks(repo).map(({ content }) => content)).toEqual(['first', 'elsewhere'])
  expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
})

/** A clone whose ledger has gone on. */
function moved(repo: Repo): Repo {
  const clone = repo.clone()
  clone.git('fetch', '--quiet', 'origin', 'refs/tasks/main:refs/tasks/main')
  outputOf(clone.gza('add', 'elsewhere'))
  return clone
}

test('a closing killed before its commit was noted is mended by the next sync', () => {
  const repo = aRepo({ bare: true }).clone()
  repo.commit('start')
  outputOf(repo.gza('add', 'first'))
  const commit = repo.commit('the work')
  expect(withDeadlyGit(repo, 'before', 'notes').gza('done', '1').code).toBe(SIGKILLED)
  const [task] = exportedTasks(repo)
  expect(task).toMatchObject({ status: 'completed', closed_commit: commit })
  outputOf(repo.gza('sync'))
  expect(repo.git('notes', '--ref=tasks', 'show', commit)).toBe(`${task?.id}: first`)
})

test('a lock that a dead git left on the ledger is named, refuses writes, and leaves reading alone', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'first'))
  const lock = repo.write('.git/refs/tasks/main.lock', '')
  const { code, stdout, stderr } = repo.gza('add', 'second')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(lock)
  expect(exportedTasks(repo).map(({ content }) => content)).toEqual(['first'])
  rmSync(lock)
  outputOf(repo.gza('add', 'third'))
  expect(exportedTasks(repo).map(({ content, number }) => [content, number])).toEqual([
    ['first', 1],
    ['third', 2],
  ])
})
