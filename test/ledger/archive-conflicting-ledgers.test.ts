import { expect, test } from 'bun:test'
import { add, aStartedRepo, contents, gza, listAll, show, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'

test('feature/x after feature was deleted: the old ledger is archived, its open tasks are carried over', () => {
  const repo = aRepoWithFeature()
  const [finished, open] = listAll(repo, '--branch', 'feature')
  const tip = tipOf(repo, 'feature')
  onBranch(repo, 'feature/x', { without: 'feature' })
  const result = repo.gza('add', 'new work')
  expect(result).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Created task #3 \(task-[0-9a-f]{4}\): new work\n$/),
    stderr:
      'Warning: The branch feature no longer exists: its ledger moved to refs/tasks-archive/feature, its open tasks (1) to feature/x\n',
  })
  expect(repo.git('rev-parse', 'refs/tasks-archive/feature^')).toBe(tip)
  expect(listAll(repo).map(({ number, content }) => [number, content])).toEqual([
    [2, 'open'],
    [3, 'new work'],
  ])
  expect(show(repo, '2').uid).toBe(open!.uid)
  expect(repo.gza('show', finished!.id).code).toBe(1)
  expect(repo.gza('verify').code).toBe(0)
})

test('what was archived can be read again under another name, without the tasks that moved', () => {
  const repo = aRepoWithFeature()
  onBranch(repo, 'feature/x', { without: 'feature' })
  add(repo, 'new work')
  repo.git('update-ref', 'refs/tasks/old-feature', 'refs/tasks-archive/feature')
  expect(contents(repo, '--branch', 'old-feature')).toEqual(['finished'])
  expect(repo.gza('verify', '--branch', 'old-feature').code).toBe(0)
})

test('a task that moved away is not carried over, and a branch that may be on the remote is not taken for a deleted one', () => {
  const repo = aRepoWithFeature()
  gza(repo, 'move', '2', '--from', 'feature', '--to', 'main')
  add(repo, 'still open', '--branch', 'feature')
  repo.git('remote', 'add', '-t', 'main', 'origin', repo.dir)
  onBranch(repo, 'feature/x', { without: 'feature' })
  expect(repo.gza('add', 'new work')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('If its branch is gone: gza prune --move-to BRANCH'),
  })
  repo.git('remote', 'remove', 'origin')
  add(repo, 'new work')
  expect(contents(repo).sort()).toEqual(['new work', 'still open'])
})

test('feature after feature/x and feature/y were deleted: both are archived, the open tasks of both are carried over', () => {
  const repo = aStartedRepo()
  for (const name of ['feature/x', 'feature/y']) {
    repo.git('branch', name)
    add(repo, `on ${name}`, '--branch', name)
    repo.git('branch', '--quiet', '-D', name)
  }
  onBranch(repo, 'feature')
  add(repo, 'new work')
  const tasks = listAll(repo)
  expect(tasks.map(({ content }) => content).sort()).toEqual(['new work', 'on feature/x', 'on feature/y'])
  expect(tasks.map(({ number }) => number).sort()).toEqual([1, 2, 3])
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/tasks', 'refs/tasks-archive').split('\n')).toEqual([
    'refs/tasks-archive/feature%2Fx',
    'refs/tasks-archive/feature%2Fy',
    'refs/tasks/feature',
  ])
  expect(repo.gza('verify').code).toBe(0)
})

test('a carried task is not blocked by a finished one that it depended on, and keeps its parent', () => {
  const repo = aStartedRepo()
  onBranch(repo, 'feature')
  const [parent, first] = [add(repo, 'parent'), add(repo, 'first')]
  const second = add(repo, 'second', '--after', first, '--parent', parent)
  gza(repo, 'done', first)
  onBranch(repo, 'feature/x', { without: 'feature' })
  add(repo, 'new work')
  expect(show(repo, second)).toMatchObject({ status: 'pending', blocked_by: [], after: [first], parent })
})

test('edits, notes and generations are carried over whole', () => {
  const repo = aStartedRepo()
  onBranch(repo, 'feature')
  const id = add(repo, 'as filed')
  gza(repo, 'edit', id, '--content', 'edited', '--group', 'a group')
  gza(repo, 'note', id, 'a note')
  gza(repo, 'done', id)
  gza(repo, 'edit', id, '--reopen')
  const before = { ...show(repo, id), ledger: 'feature/x' }
  onBranch(repo, 'feature/x', { without: 'feature' })
  add(repo, 'new work')
  expect(show(repo, id)).toEqual(before)
  expect(repo.gza('verify').code).toBe(0)
})

test('with nothing open there is nothing to carry over', () => {
  const repo = aRepoWithFeature()
  gza(repo, 'done', '2', '--branch', 'feature')
  onBranch(repo, 'feature/x', { without: 'feature' })
  add(repo, 'new work')
  expect(contents(repo)).toEqual(['new work'])
})

test('undo does not take the carried tasks back', () => {
  const repo = aRepoWithFeature()
  onBranch(repo, 'feature/x', { without: 'feature' })
  add(repo, 'new work')
  gza(repo, 'undo')
  expect(repo.gza('undo').code).toBe(1)
  expect(contents(repo)).toEqual(['open'])
})

test('while feature is there, feature/x is a clear error, and nothing is changed', () => {
  const repo = aRepoWithFeature()
  const before = repo.git('for-each-ref')
  expect(repo.gza('add', 'new work', '--branch', 'feature/x', '--create')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: Tasks of feature/x cannot be kept next to those of feature: git does not allow a ref below another\n' +
      '  Use the ledger of that branch: --branch feature\n',
  })
  expect(repo.git('for-each-ref')).toBe(before)
  expect(repo.withEnv({ GZA_BRANCH: 'feature/x' }).gza('list').code).toBe(0)
})

test('while feature/x is there, feature is a clear error', () => {
  const repo = aStartedRepo()
  repo.git('branch', 'feature/x')
  add(repo, 'a task', '--branch', 'feature/x')
  expect(repo.gza('add', 'new work', '--branch', 'feature', '--create')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Tasks of feature cannot be kept next to those of feature/x'),
  })
})

test('agents move no ledger out of the way', () => {
  const repo = aRepoWithFeature()
  onBranch(repo, 'feature/x', { without: 'feature' })
  expect(repo.withEnv({ ZAGI_AGENT: 'claude-code' }).gza('add', 'new work')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: Tasks of feature/x cannot be kept next to those of feature, whose branch no longer exists: only people archive ledgers\n' +
      '  Only people can change that. To explain why it is needed: gza note ID "…". To take another task: gza claim --next\n',
  })
  expect(contents(repo, '--branch', 'feature')).toEqual(['finished', 'open'])
})

test('restoring a ledger whose place another one has is a clear error', () => {
  const repo = aRepoWithFeature()
  onBranch(repo, 'feature/x', { without: 'feature' })
  add(repo, 'new work')
  expect(repo.gza('prune', '--restore', 'feature')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("'refs/tasks/feature/x' exists"),
  })
})

/** On main, with a branch `feature` that has a finished task and an open one. */
function aRepoWithFeature(): Repo {
  const repo = aStartedRepo()
  repo.git('branch', 'feature')
  add(repo, 'finished', '--branch', 'feature')
  add(repo, 'open', '--branch', 'feature')
  gza(repo, 'done', '1', '--branch', 'feature')
  return repo
}

function onBranch(repo: Repo, branch: string, { without }: { without?: string } = {}): void {
  repo.git('checkout', '--quiet', '--detach')
  if (without !== undefined) repo.git('branch', '--quiet', '-D', without)
  repo.git('checkout', '--quiet', '-b', branch)
}
