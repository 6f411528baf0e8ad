import { expect, test } from 'bun:test'
import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { add, aStartedRepo, contents, gza, tipOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { commitThere, liveThere, placeIn } from './task-life.ts'

test.each(['sha1', 'sha256'] as const)('a %s repository', (objectFormat) => {
  const repo = aStartedRepo({ objectFormat })
  liveThere(repo)
  commitThere(repo)
})

test('a repository without a commit', () => {
  const repo = aRepo()
  liveThere(repo)
  commitThere(repo)
})

test.each([
  'with spaces',
  'ünïcødé 日本',
  'new\nline',
  '-dash',
  'quote\'s "$HOME" `x`',
  'back\\slash',
  '%41#?',
  'trailing ',
])('a repository at a path like %j, and its worktrees', (name) => {
  const repo = aRepo()
  const path = join(dirname(repo.dir), name)
  renameSync(repo.dir, path)
  const place = placeIn(repo, path)
  place.git('commit', '--quiet', '--allow-empty', '--message', 'first')
  liveThere(place)
  commitThere(place)
  place.git('worktree', 'add', '--quiet', '-b', 'linked', `${path}-linked`)
  const linked = placeIn(repo, `${path}-linked`)
  liveThere(linked)
  commitThere(linked)
})

test('linked worktrees: each branch has its ledger, all share one index, and each sees the other’s', () => {
  const repo = aStartedRepo()
  const [one, two] = [repo.worktree('one'), repo.worktree('two')]
  liveThere(one)
  liveThere(two)
  expect(contents(repo)).toEqual([])
  expect(contents(repo, '--branch', 'one')).toEqual(['first task', 'second task'])
  expect(contents(two, '--all-branches')).toHaveLength(4)
  expect(repo.run(['find', '.git', '-name', 'state.db']).stdout).toBe('.git/gza/state.db\n')
  expect(one.run(['ls', '-A']).stdout).toBe('.git\n')
})

test('worktrees with a shared ledger: GZA_BRANCH names it for all', () => {
  const repo = aStartedRepo({ env: { GZA_BRANCH: 'main' } })
  const worktree = repo.worktree('feature')
  add(worktree, 'from the worktree')
  add(repo, 'from the main checkout')
  expect(contents(worktree)).toEqual(['from the worktree', 'from the main checkout'])
})

test('a worktree with a configuration of its own', () => {
  const repo = aStartedRepo()
  repo.git('config', 'extensions.worktreeConfig', 'true')
  const worktree = repo.worktree('feature')
  worktree.git('config', '--worktree', 'user.name', 'Worker')
  liveThere(worktree)
  commitThere(worktree)
})

test('packed refs, also while they are packed repeatedly', () => {
  const repo = aStartedRepo()
  liveThere(repo)
  for (let i = 0; i < 3; i++) {
    repo.git('pack-refs', '--all', '--prune')
    const tip = tipOf(repo)
    expect(contents(repo)).toHaveLength(2 + i)
    add(repo, `after packing ${i}`)
    expect(tipOf(repo, 'main~1')).toBe(tip)
  }
  repo.git('gc', '--quiet', '--prune=now')
  expect(contents(repo)).toHaveLength(5)
  commitThere(repo)
})

test('a bare repository, by the branch its HEAD names or by --branch', () => {
  const repo = aRepo({ bare: true })
  liveThere(repo)
  liveThere(repo, '--branch', 'dev')
  expect(contents(repo, '--all-branches')).toHaveLength(4)
  const named = placeIn(repo, '/', { GIT_DIR: repo.dir })
  expect(named.gza('list', '--branch', 'dev').stdout.split('\n')).toHaveLength(3)
})

test('a bare repository with worktrees beside it', () => {
  const bare = aStartedRepo().clone()
  const repo = aRepo({ bare: true })
  repo.git('fetch', '--quiet', bare.dir, 'main:main')
  const worktree = repo.worktree('feature')
  liveThere(worktree)
  commitThere(worktree)
  expect(contents(repo, '--branch', 'feature')).toHaveLength(2)
})

test('a submodule and the repository around it have ledgers of their own', () => {
  const [outer, inner] = [aStartedRepo(), aStartedRepo()]
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'sub')
  const sub = placeIn(outer, join(outer.dir, 'sub'))
  liveThere(sub)
  commitThere(sub)
  liveThere(outer)
  expect(outer.git('status', '--short', '--ignore-submodules')).toBe('A  .gitmodules')
})

test('a repository inside another, and one whose git folder is elsewhere', () => {
  const repo = aStartedRepo()
  repo.git('init', '--quiet', 'nested')
  liveThere(placeIn(repo, join(repo.dir, 'nested')))
  expect(contents(repo)).toEqual([])
  const apart = join(dirname(repo.dir), 'apart')
  repo.git('init', '--quiet', '--separate-git-dir', `${apart}.git`, apart)
  const place = placeIn(repo, apart)
  liveThere(place)
  commitThere(place)
})

test('a clone that borrows its objects, and a shallow one', () => {
  const origin = aStartedRepo()
  origin.commit('second')
  for (const how of ['--shared', '--depth=1']) {
    const path = join(dirname(origin.dir), how)
    origin.git('clone', '--quiet', how, `file://${origin.dir}`, path)
    const place = placeIn(origin, path)
    liveThere(place)
    commitThere(place)
  }
})

test('a subfolder, a link to one, and the git folder itself', () => {
  const repo = aStartedRepo()
  mkdirSync(join(repo.dir, 'a/b/c'), { recursive: true })
  symlinkSync('a/b', join(repo.dir, 'link'))
  liveThere(placeIn(repo, join(repo.dir, 'a/b/c')))
  expect(listed(repo, 'link/c')).toBe(2)
  expect(listed(repo, '.git')).toBe(2)
  expect(listed(repo, '.git/refs')).toBe(2)
})

test('GIT_DIR and GIT_WORK_TREE are respected, absolute or relative, from anywhere', () => {
  const repo = aStartedRepo()
  mkdirSync(join(repo.dir, 'sub'))
  liveThere(repo)
  const git = join(repo.dir, '.git')
  for (const [cwd, env] of [
    ['/', { GIT_DIR: git, GIT_WORK_TREE: repo.dir }],
    ['/', { GIT_DIR: git }],
    [join(repo.dir, 'sub'), { GIT_DIR: '../.git', GIT_WORK_TREE: '..' }],
    [repo.dir, { GIT_DIR: '.git' }],
    [dirname(repo.dir), { GIT_DIR: 'repo/.git', GIT_WORK_TREE: 'repo' }],
  ] as const) {
    const place = placeIn(repo, cwd, env)
    expect(place.gza('add', `from ${cwd}`)).toMatchObject({ code: 0, stderr: '' })
  }
  expect(contents(repo)).toHaveLength(7)
})

test('git -C, --git-dir and an alias reach the same ledger as gza', () => {
  const repo = aStartedRepo()
  add(repo, 'a task')
  repo.git('config', 'alias.t', '!git-tasks')
  mkdirSync(join(repo.dir, 'sub'))
  const elsewhere = placeIn(repo, '/')
  // The two names print dependencies in their own forms.
  const expected = gza(repo, 'list', '--json').replace('"after":[]', '"after":null')
  expect(elsewhere.git('-C', repo.dir, 'tasks', 'list', '--json')).toBe(expected)
  expect(elsewhere.git('--git-dir', join(repo.dir, '.git'), 'tasks', 'list', '--json')).toBe(expected)
  expect(placeIn(repo, join(repo.dir, 'sub')).git('t', 'list', '--json')).toBe(expected)
})

test('tasks never show in git status, whatever is done', () => {
  const repo = aStartedRepo()
  gza(repo, 'init')
  liveThere(repo)
  expect(repo.git('status', '--porcelain', '--ignored')).toBe('')
})

function listed(repo: Repo, folder: string): number {
  const result = placeIn(repo, join(repo.dir, folder)).gza('list', '--all', '--json')
  return (JSON.parse(result.stdout) as unknown[]).length
}
