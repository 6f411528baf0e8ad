import { expect, test } from 'bun:test'
import { add, aStartedRepo, ask, contents, gza, tipOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

test('prune archives the ledgers of branches that are gone, and nothing else', () => {
  const repo = aRepoWithBranches('gone', 'kept')
  deleteBranch(repo, 'gone')
  const tip = tipOf(repo, 'gone')
  expect(repo.gza('prune')).toEqual({
    code: 0,
    stdout: 'gone: archived as refs/tasks-archive/gone (1 open task)\n',
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
  expect(gza(repo, 'prune', '--dry-run')).toBe('gone: would be archived as refs/tasks-archive/gone (1 open task)')
  expect(refs(repo, 'refs')).toEqual(before)
})

test('prune --restore brings a ledger back as it was', () => {
  const repo = aRepoWithBranches('feature/login')
  deleteBranch(repo, 'feature/login')
  const tip = tipOf(repo, 'feature/login')
  gza(repo, 'prune')
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
  gza(repo, 'prune')
  expect(repo.gza('prune', '--restore', 'nope').stderr).toBe("Error: No archived ledger 'nope'\n  Archived: gone\n")
})

test('a ledger is not restored over a new one of its name', () => {
  const repo = aRepoWithBranches('gone')
  deleteBranch(repo, 'gone')
  gza(repo, 'prune')
  add(repo, 'a new beginning', '--branch', 'gone')
  const before = refs(repo, 'refs')
  expect(repo.gza('prune', '--restore', 'gone')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: gone already has a new ledger\n' +
      '  Nothing was changed. Both exist: refs/tasks/gone and refs/tasks-archive/gone\n',
  })
  expect(refs(repo, 'refs')).toEqual(before)
})

test('a branch that comes and goes has several ledgers in the archive; the last is restored, any can be named', () => {
  const repo = aStartedRepo()
  for (const content of ['first time', 'second time']) {
    add(repo, content, '--branch', 'gone')
    gza(repo, 'prune')
  }
  expect(refs(repo, 'refs/tasks-archive').map((row) => row.split(' ')[0])).toEqual([
    'refs/tasks-archive/gone',
    'refs/tasks-archive/gone#2',
  ])
  gza(repo, 'prune', '--restore', 'gone')
  expect(contents(repo, '--branch', 'gone')).toEqual(['second time'])
  gza(repo, 'prune')
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
  expect(gza(repo, 'prune', '--branch', 'ideas')).not.toContain('ideas')
  expect(gza(repo.withEnv({ GZA_BRANCH: 'ideas' }), 'prune')).not.toContain('ideas')
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
  expect(gza(repo, 'prune')).toBe('feature/x: archived as refs/tasks-archive/feature%2Fx (1 open task)')
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
  expect(ask(repo, 'prune')).toEqual({
    archived: [{ ledger: 'gone', ref: 'refs/tasks-archive/gone', open: 1 }],
    restored: null,
  })
  expect(ask(repo, 'prune', '--restore', 'gone')).toEqual({ archived: [], restored: 'gone' })
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
