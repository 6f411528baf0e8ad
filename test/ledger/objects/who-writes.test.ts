/** gza writes the objects of a ledger itself, unless somebody has settled how git writes them. */
import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitCallsOf } from '../../support/git-calls.ts'
import { exportedTasks, outputOf } from '../../support/ledger-answers.ts'
import { aRepo, type Env, type Repo } from '../../support/repo.ts'

const BY_GZA = ['update-ref']
const BY_GIT = ['fast-import', 'unpack-objects', 'update-ref']

/** A repository in which git has answered about its settings. */
function aKnownRepo(): Repo {
  const repo = aRepo()
  outputOf(repo.gza('add', 'first'))
  return repo
}

/** The second of two writes: the first one may ask git about its settings. */
function callsOfAdd(repo: Repo): string[] {
  outputOf(repo.gza('add', 'one more'))
  return gitCallsOf(repo, 'add', 'another')
}

test('add, note, edit, done and delete start one git process each: update-ref', () => {
  const repo = aKnownRepo()
  for (const args of [
    ['add', 'second'],
    ['note', '1', 'a remark'],
    ['edit', '1', '--title', 'other'],
    ['done', '1'],
    ['delete', '2', '--yes'],
  ])
    expect([args[0], gitCallsOf(repo, ...args)]).toEqual([args[0], BY_GZA])
  expect(repo.git('fsck', '--strict', '--full')).toBe('')
  expect(outputOf(repo.gza('verify'))).toStartWith('main: ok (6 commits, 2 tasks)')
})

test('after a gc, git is asked once for what it has packed, and then no more', () => {
  const repo = aKnownRepo()
  repo.git('gc', '--quiet', '--prune=now')
  expect(gitCallsOf(repo, 'add', 'second')).toEqual(['cat-file', 'update-ref'])
  expect(gitCallsOf(repo, 'add', 'third')).toEqual(BY_GZA)
})

test('a linked worktree and a SHA-256 repository are written in the same way', () => {
  const repo = aRepo({ objectFormat: 'sha256' })
  repo.commit('start')
  const there = repo.worktree('elsewhere')
  for (const place of [repo, there]) expect(callsOfAdd(place)).toEqual(BY_GZA)
  expect(repo.git('fsck', '--strict', '--full')).toBe('')
})

const settings: [string, string][] = [
  ['core.sharedRepository', 'group'],
  ['core.fsync', 'loose-object'],
  ['core.fsyncMethod', 'fsync'],
  ['core.fsyncObjectFiles', 'true'],
  ['core.createObject', 'rename'],
  ['remote.origin.promisor', 'true'],
  ['remote.origin.partialCloneFilter', 'blob:none'],
]
for (const [key, value] of settings) {
  test(`git writes them with ${key}, wherever that is set`, () => {
    const repo = aKnownRepo()
    const home = repo.env.HOME as string
    const elsewhere = join(home, 'elsewhere')
    const set = (file: string) => repo.git('config', '--file', file, key, value)
    repo.git('config', key, value)
    expect(callsOfAdd(repo)).toEqual(BY_GIT)
    repo.git('config', '--unset', key)
    expect(callsOfAdd(repo)).toEqual(BY_GZA)

    mkdirSync(join(home, '.config/git'), { recursive: true })
    set(join(home, '.config/git/config'))
    expect(callsOfAdd(repo)).toEqual(BY_GIT)
    rmSync(join(home, '.config/git/config'))

    set(elsewhere)
    const variables = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value }
    for (const env of [
      { GIT_CONFIG_GLOBAL: elsewhere },
      { GIT_CONFIG_NOSYSTEM: '0', GIT_CONFIG_SYSTEM: elsewhere },
      variables,
    ])
      expect(callsOfAdd(repo.withEnv(env))).toContain('fast-import')
    expect(callsOfAdd(repo)).toEqual(BY_GZA)
  })
}

test('git writes them with an extension that gza does not know', () => {
  const repo = aKnownRepo()
  repo.git('config', 'core.repositoryFormatVersion', '1')
  repo.git('config', 'extensions.preciousObjects', 'true')
  expect(callsOfAdd(repo)).toEqual(BY_GIT)
})

test('the settings of a worktree count too', () => {
  const repo = aKnownRepo()
  repo.git('config', 'core.repositoryFormatVersion', '1')
  repo.git('config', 'extensions.worktreeConfig', 'true')
  expect(callsOfAdd(repo)).not.toContain('fast-import')
  repo.git('config', '--worktree', 'core.fsync', 'loose-object')
  expect(callsOfAdd(repo)).toContain('fast-import')
})

test('git writes them if the environment puts objects elsewhere', () => {
  const repo = aKnownRepo()
  const objects = join(repo.dir, '.git/objects')
  const places: Env[] = [{ GIT_OBJECT_DIRECTORY: objects }, { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }]
  for (const env of places) expect(callsOfAdd(repo.withEnv(env))).toContain('fast-import')
})

test('settings of an included file are followed, although only that file changes', () => {
  const repo = aKnownRepo()
  const included = join(repo.env.HOME as string, 'included')
  writeFileSync(included, '[user]\n\tname = Before\n')
  repo.git('config', 'include.path', included)
  outputOf(repo.gza('add', 'second'))
  expect(gitCallsOf(repo, 'add', 'third')).toContain('config')
  writeFileSync(included, '[user]\n\tname = Behind!\n[core]\n\tfsync = loose-object\n')
  expect(gitCallsOf(repo, 'add', 'fourth')).toContain('fast-import')
  expect(exportedTasks(repo).map(({ created_by }) => created_by)).toEqual(['Test', 'Before', 'Before', 'Behind!'])
})

test('a changed name signs the next write, in whichever file it is set', () => {
  const repo = aKnownRepo()
  const home = repo.env.HOME as string
  repo.git('config', 'user.name', 'Local')
  outputOf(repo.gza('add', 'second'))
  repo.git('config', '--unset', 'user.name')
  repo.git('config', '--global', 'user.name', 'Global')
  outputOf(repo.gza('add', 'third'))
  writeFileSync(join(home, '.gitconfig'), '[user]\n\temail = m@example.com\n')
  mkdirSync(join(home, '.config/git'), { recursive: true })
  writeFileSync(join(home, '.config/git/config'), '[user]\n\tname = Xdg\n')
  outputOf(repo.gza('add', 'fourth'))
  outputOf(repo.withEnv({ GIT_COMMITTER_NAME: 'Variable', GIT_COMMITTER_EMAIL: 'v@example.com' }).gza('add', 'fifth'))
  outputOf(repo.gza('add', 'sixth'))
  const names = ['Test', 'Local', 'Global', 'Xdg', 'Variable', 'Xdg']
  expect(exportedTasks(repo).map(({ created_by }) => created_by)).toEqual(names)
  expect(repo.git('log', '--reverse', '--format=%an|%cn', 'refs/tasks/main').split('\n')).toEqual(
    names.map((name) => `${name}|${name}`),
  )
})
