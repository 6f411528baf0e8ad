import { expect, test } from 'bun:test'
import { add, aStartedRepo, ask, contents, gza, listAll, tipOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

test('prune archives the ledgers of branches that are gone, and nothing else', () => {
  const repo = aRepoWithBranches('gone', 'kept')
  deleteBranch(repo, 'gone')
  gza(repo, 'done', '1', '--branch', 'gone')
  const tip = tipOf(repo, 'gone')
  expect(repo.gza('prune')).toEqual({
    code: 0,
    stdout: 'gone: archived as refs/tasks-archive/gone (0 open tasks)\n',
    stderr: '',
  })
  expect(refs(repo, 'refs/tasks', 'refs/tasks-archive')).toEqual([
    `refs/tasks-archive/gone ${tip}`,
    `refs/tasks/kept ${tipOf(repo, 'kept')}`,
    `refs/tasks/main ${tipOf(repo)}`,
  ])
  expect(gza(repo, 'prune')).toBe('Nothing to archive: every ledger has its branch')
})

test('prune --dry-run says it and leaves all as it is', () => {
  const repo = aRepoWithBranches('gone')
  deleteBranch(repo, 'gone')
  const before = refs(repo, 'refs')
  expect(gza(repo, 'prune', '--dry-run', '--archive-open')).toBe(
    'gone: would be archived as refs/tasks-archive/gone (1 open task)',
  )
  expect(refs(repo, 'refs')).toEqual(before)
})

test('prune --restore brings a ledger back as it was', () => {
  const repo = aRepoWithBranches('feature/login')
  deleteBranch(repo, 'feature/login')
  const tip = tipOf(repo, 'feature/login')
  gza(repo, 'prune', '--archive-open')
  expect(refs(repo, 'refs/tasks-archive')).toEqual([`refs/tasks-archive/feature%2Flogin ${tip}`])
  expect(gza(repo, 'prune', '--restore', 'feature/login')).toBe('feature/login: restored')
  expect([tipOf(repo, 'feature/login'), refs(repo, 'refs/tasks-archive')]).toEqual([tip, []])
  expect(contents(repo, '--branch', 'feature/login')).toEqual(['on feature/login'])
})

test('a ledger that is not in the archive is an error that names those that are', () => {
  const repo = aRepoWithBranches('gone')
  expect(repo.gza('prune', '--restore', 'nope')).toMatchObject({
    code: 1,
    stderr: "Error: No archived ledger 'nope'\n  The archive is empty.\n",
  })
  deleteBranch(repo, 'gone')
  gza(repo, 'prune', '--archive-open')
  expect(repo.gza('prune', '--restore', 'nope').stderr).toBe("Error: No archived ledger 'nope'\n  Archived: gone\n")
})

test('a ledger is joined into a new one of its name, and its archive is gone', () => {
  const repo = aRepoWithBranches('gone')
  deleteBranch(repo, 'gone')
  gza(repo, 'prune', '--archive-open')
  add(repo, 'a new beginning', '--branch', 'gone')
  expect(gza(repo, 'prune', '--restore', 'gone')).toBe('gone: restored, joined with its new tasks')
  expect(contents(repo, '--branch', 'gone').sort()).toEqual(['a new beginning', 'on gone'])
  expect(refs(repo, 'refs/tasks-archive')).toEqual([])
  expect(repo.gza('verify', '--branch', 'gone').code).toBe(0)
})

test('a ledger with open tasks is kept, and the two ways out are named', () => {
  const repo = aRepoWithBranches('gone', 'finished')
  for (const branch of ['gone', 'finished']) deleteBranch(repo, branch)
  gza(repo, 'done', '1', '--branch', 'finished')
  expect(repo.tasks('prune')).toEqual({
    code: 1,
    stdout: 'finished: archived as refs/tasks-archive/finished (0 open tasks)\ngone: kept (1 open task)\n',
    stderr:
      'Warning: Open tasks are not archived unasked: git tasks prune --move-to BRANCH moves them, on hold; ' +
      'git tasks prune --archive-open archives them\n',
  })
  expect(contents(repo, '--branch', 'gone')).toEqual(['on gone'])
})

test('--move-to moves the open tasks, on hold, and archives what is left', () => {
  const repo = aRepoWithBranches('gone')
  deleteBranch(repo, 'gone')
  expect(repo.gza('prune', '--move-to', 'mian')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no branch mian; did you mean main?'),
  })
  expect(repo.gza('prune', '--move-to', 'gone').code).toBe(1)
  expect(repo.gza('prune', '--move-to', 'main', '--archive-open').code).toBe(2)
  expect(gza(repo, 'prune', '--move-to', 'main')).toBe(
    'gone: archived as refs/tasks-archive/gone (1 open task, moved to main on hold)',
  )
  expect(listAll(repo).map(({ content, on_hold }) => [content, on_hold])).toEqual([
    ['on main', false],
    ['on gone', true],
  ])
  gza(repo, 'prune', '--restore', 'gone')
  expect([contents(repo, '--branch', 'gone'), contents(repo)]).toEqual([[], ['on main', 'on gone']])
})

test('undo of --move-to lifts the hold that it set, and redo sets it again', () => {
  const repo = aRepoWithBranches('feature')
  repo.git('checkout', '--quiet', 'feature')
  add(repo, 'two')
  repo.git('checkout', '--quiet', 'main')
  deleteBranch(repo, 'feature')
  gza(repo, 'prune', '--move-to', 'main')
  expect(repo.gza('undo').stderr).toContain('gza prune --restore feature')
  gza(repo, 'prune', '--restore', 'feature')
  const held = (branch: string) =>
    ask<{ on_hold: boolean }[]>(repo, 'list', '--branch', branch).map(({ on_hold }) => on_hold)
  gza(repo, 'undo')
  expect(held('feature')).toEqual([false, false])
  gza(repo, 'redo')
  expect(held('main')).toEqual([false, true, true])
  gza(repo, 'undo')
  expect(held('feature')).toEqual([false, false])
  expect(repo.gza('verify', '--all-branches').code).toBe(0)
})

test('a single-branch clone asks the remote, and keeps everything if it does not answer', () => {
  const origin = aRepo({ bare: true })
  const whole = origin.clone()
  whole.commit('first')
  whole.git('push', '--quiet', 'origin', 'main', 'main:feature')
  add(whole, 'on feature', '--branch', 'feature')
  gza(whole, 'sync')
  const single = origin.clone()
  single.git('config', 'remote.origin.fetch', '+refs/heads/main:refs/remotes/origin/main')
  single.git('update-ref', '-d', 'refs/remotes/origin/feature')
  gza(single, 'sync')
  const ask = () => single.gza('prune', '--archive-open')
  expect(ask().stdout).toBe('Nothing to archive: every ledger has its branch\n')
  single.git('remote', 'set-url', 'origin', `${origin.dir}-elsewhere`)
  expect(ask()).toMatchObject({ code: 1, stderr: expect.stringContaining('origin cannot be asked which branches') })
  expect(contents(single, '--branch', 'feature')).toEqual(['on feature'])
})

test('--remote archives on the remote too, with what others have pushed, or nothing at all', () => {
  const origin = aRepo({ bare: true })
  const [ann, ben] = [origin.clone(), origin.clone()]
  ann.commit('first')
  ann.git('push', '--quiet', 'origin', 'main')
  add(ann, 'by ann', '--branch', 'gone')
  gza(ann, 'sync')
  gza(ben, 'sync')
  add(ben, 'by ben', '--branch', 'gone')
  gza(ben, 'sync')
  origin.write('hooks/update', '#!/bin/sh\n[ "$1" != refs/tasks/gone ]\n')
  origin.run(['chmod', '+x', 'hooks/update'])
  expect(ann.gza('prune', '--remote', '--archive-open').code).toBe(1)
  expect(refs(origin, 'refs/tasks', 'refs/tasks-archive').map((row) => row.split(' ')[0])).toEqual(['refs/tasks/gone'])
  expect(contents(ann, '--branch', 'gone').sort()).toEqual(['by ann', 'by ben'])
  origin.run(['rm', 'hooks/update'])
  expect(gza(ann, 'prune', '--remote', '--move-to', 'main').split('\n')).toEqual([
    'gone: archived as refs/tasks-archive/gone (2 open tasks, moved to main on hold)',
    'gone: archived on the remote',
  ])
  expect(refs(origin, 'refs/tasks', 'refs/tasks-archive').map((row) => row.split(' ')[0])).toEqual([
    'refs/tasks-archive/gone',
    'refs/tasks/main',
  ])
})

test('--remote REMOTE archives on that remote', () => {
  const [origin, upstream] = [aRepo({ bare: true }), aRepo({ bare: true })]
  const names = (repo: Repo) => refs(repo, 'refs/tasks', 'refs/tasks-archive').map((line) => line.split(' ')[0])
  const repo = origin.clone()
  repo.commit('first')
  repo.git('remote', 'add', 'upstream', upstream.dir)
  add(repo, 'lost', '--branch', 'gone')
  for (const remote of ['origin', 'upstream']) {
    repo.git('push', '--quiet', remote, 'main')
    gza(repo, 'sync', remote)
  }
  expect(repo.gza('prune', 'upstream')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('prune --remote upstream'),
  })
  gza(repo, 'prune', '--archive-open', '--remote', 'upstream')
  expect(names(upstream)).toEqual(['refs/tasks-archive/gone'])
  expect(names(origin)).toEqual(['refs/tasks/gone'])
  gza(repo, 'prune', '--remote')
  expect(names(origin)).toEqual(['refs/tasks-archive/gone'])
})

test('a branch that comes and goes has several ledgers in the archive; the last is restored, any can be named', () => {
  const repo = aStartedRepo()
  for (const content of ['first time', 'second time']) {
    add(repo, content, '--branch', 'gone')
    gza(repo, 'prune', '--archive-open')
  }
  expect(refs(repo, 'refs/tasks-archive').map((row) => row.split(' ')[0])).toEqual([
    'refs/tasks-archive/gone',
    'refs/tasks-archive/gone#2',
  ])
  gza(repo, 'prune', '--restore', 'gone')
  expect(contents(repo, '--branch', 'gone')).toEqual(['second time'])
  gza(repo, 'prune', '--archive-open')
  gza(repo, 'prune', '--restore', 'refs/tasks-archive/gone')
  expect(contents(repo, '--branch', 'gone')).toEqual(['first time'])
})

test('the ledger that is in use is never archived, with or without its branch', () => {
  const repo = aStartedRepo()
  repo.git('checkout', '--quiet', '--orphan', 'unborn')
  add(repo, 'before the first commit')
  expect(gza(repo, 'prune')).toBe('Nothing to archive: every ledger has its branch')
  repo.git('checkout', '--quiet', 'main')
  add(repo, 'a ledger without any branch', '--branch', 'ideas')
  expect(gza(repo, 'prune', '--dry-run', '--branch', 'ideas')).not.toContain('ideas')
  expect(gza(repo.withEnv({ GZA_BRANCH: 'ideas' }), 'prune', '--dry-run')).not.toContain('ideas')
})

test('the ledger of a branch that another worktree is on is not archived', () => {
  const repo = aStartedRepo()
  const worktree = repo.worktree('elsewhere')
  worktree.git('checkout', '--quiet', '--orphan', 'unborn')
  add(worktree, 'before the first commit')
  expect(gza(repo, 'prune')).toBe('Nothing to archive: every ledger has its branch')
})

test('a ledger whose branch is on a remote is not archived', () => {
  const repo = aRepo({ bare: true }).clone()
  repo.commit('first')
  repo.git('push', '--quiet', 'origin', 'main', 'main:feature/x')
  add(repo, 'on the remote', '--branch', 'feature/x')
  expect(gza(repo, 'prune')).toBe('Nothing to archive: every ledger has its branch')
  repo.git('push', '--quiet', 'origin', ':feature/x')
  expect(gza(repo, 'prune', '--archive-open')).toBe(
    'feature/x: archived as refs/tasks-archive/feature%2Fx (1 open task)',
  )
})

test('agents archive nothing', () => {
  const repo = aRepoWithBranches('gone')
  deleteBranch(repo, 'gone')
  const agent = repo.withEnv({ ZAGI_AGENT: 'claude-code' })
  expect(agent.gza('prune')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('prune is blocked in agent mode'),
  })
  expect(contents(repo, '--branch', 'gone')).toEqual(['on gone'])
})

test('prune answers as data too', () => {
  const repo = aRepoWithBranches('gone')
  deleteBranch(repo, 'gone')
  const nothing = { archived: [], kept: [], archived_on_remote: [], restored: null, joined: false }
  expect(ask(repo, 'prune', '--dry-run')).toEqual({ ...nothing, kept: [{ ledger: 'gone', open_count: 1 }] })
  expect(ask(repo, 'prune', '--archive-open')).toEqual({
    ...nothing,
    archived: [{ ledger: 'gone', ref: 'refs/tasks-archive/gone', open_count: 1, moved_to: null }],
  })
  expect(ask(repo, 'prune', '--restore', 'gone')).toEqual({ ...nothing, restored: 'gone' })
})

function aRepoWithBranches(...branches: string[]): Repo {
  const repo = aStartedRepo()
  add(repo, 'on main')
  for (const branch of branches) {
    repo.git('branch', branch)
    add(repo, `on ${branch}`, '--branch', branch)
  }
  return repo
}

function deleteBranch(repo: Repo, branch: string): void {
  repo.git('branch', '--quiet', '-D', branch)
}

function refs(repo: Repo, ...prefixes: string[]): string[] {
  return repo
    .git('for-each-ref', '--format=%(refname) %(objectname)', ...prefixes)
    .split('\n')
    .filter(Boolean)
}
