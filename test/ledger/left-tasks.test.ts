import { expect, test } from 'bun:test'
import { outputOf } from '../support/ledger-answers.ts'
import { add, aStartedRepo, ask, contents, gza } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const LOOKING = [['list'], ['ready'], ['status']]

test('list, ready, status and inbox name open tasks on a deleted branch, with the command that moves them', () => {
  const repo = aRepoWithFeature()
  for (const args of LOOKING) expect([args, repo.gza(...args).stderr]).toEqual([args, ''])
  repo.git('branch', '-D', 'feature')
  const warning =
    'Warning: There is 1 open task on feature, a branch that no longer exists. ' +
    'Move them: git tasks move --open --from feature --to main\n'
  for (const args of LOOKING) expect([args, repo.tasks(...args)]).toMatchObject([args, { code: 0, stderr: warning }])
  expect(ask<object[]>(repo, 'inbox')).toEqual([
    {
      task: null,
      subject: 'feature',
      code: 'BRANCH_DELETED',
      detail: 'There is 1 open task on feature, a branch that no longer exists',
      commands: ['gza move --open --from feature --to main'],
      cycle_texts: [],
    },
  ])
  gza(repo, 'move', '--open', '--from', 'feature', '--to', 'main')
  for (const args of [...LOOKING, ['inbox']]) expect(repo.gza(...args).stderr).not.toContain('feature')
})

test('a ledger that is left over is named once, also where the current branch has no tasks', () => {
  const repo = aStartedRepo()
  add(repo, 'left', '--branch', 'gone')
  add(repo, 'other', '--branch', 'kept')
  repo.git('branch', 'kept')
  for (const args of LOOKING)
    expect([args, repo.gza(...args).stderr.match(/^Warning: .*/gm)]).toEqual([
      args,
      [
        expect.stringContaining('There is 1 open task on gone, '),
        'Warning: main has no tasks; there are open tasks on: kept (1). Show them with --branch kept',
      ],
    ])
})

test('a branch is merged once it has commits of its own and the current branch has them all', () => {
  const repo = aRepoWithFeature()
  repo.commit('main continues')
  expect(repo.gza('list').stderr).toBe('')
  repo.git('checkout', '--quiet', 'feature')
  repo.commit('on feature')
  repo.git('checkout', '--quiet', 'main')
  expect(repo.gza('list').stderr).toBe('')
  repo.git('merge', '--quiet', '--no-edit', 'feature')
  for (const _ of ['asked', 'remembered'])
    expect(repo.gza('list').stderr).toBe(
      'Warning: There is 1 open task on feature, which is merged. Move them: gza move --open --from feature --to main\n',
    )
  repo.worktree('elsewhere').git('checkout', '--quiet', 'feature')
  expect(repo.gza('list').stderr).toBe('')
})

test('the tasks of a renamed branch follow it where there is no remote', () => {
  const repo = aRepoWithFeature()
  gza(repo, 'add', 'finished', '--branch', 'feature')
  gza(repo, 'done', '2', '--branch', 'feature')
  repo.git('checkout', '--quiet', 'feature')
  repo.git('branch', '-m', 'login')
  expect(repo.withEnv({ GZA_AGENT: 'claude-code' }).gza('list').stdout).toBe('')
  expect(repo.gza('list')).toMatchObject({
    stdout: expect.stringContaining('on feature'),
    stderr: expect.stringContaining('The branch feature was renamed to login: its tasks (2) moved along\n'),
  })
  expect(repo.gza('list').stderr).toBe('')
  expect(contents(repo)).toEqual(['on feature', 'finished'])
  // The move itself is not a command: undo takes back the last one that was given.
  expect(ask<{ undone: string }>(repo, 'undo').undone).toStartWith('done ')
  expect(contents(repo)).toEqual(['on feature', 'finished'])
})

test('after a rename, undo and redo go through the commands that were given under the old name', () => {
  const repo = aStartedRepo()
  repo.git('checkout', '--quiet', '-b', 'old')
  const id = add(repo, 'a task')
  gza(repo, 'note', '1', 'a note')
  repo.git('branch', '-m', 'old', 'new')
  gza(repo, 'list')
  const later = add(repo, 'later')
  const undone = [1, 2, 3].map(() => ask<{ undone: string }>(repo, 'undo').undone)
  expect(undone).toEqual([`add ${later}`, `note ${id}`, `add ${id}`])
  expect([contents(repo), repo.gza('undo').stderr]).toEqual([[], expect.stringContaining('Nothing to undo on new')])
  const redone = [1, 2, 3].map(() => ask<{ redone: string }>(repo, 'redo').redone)
  expect(redone).toEqual(undone.toReversed())
  expect(contents(repo)).toEqual(['a task', 'later'])
  expect(repo.gza('verify', '--all-branches').code).toBe(0)
})

test('after a rename, undo of a move says why not, and names a command with the same effect', () => {
  const repo = aStartedRepo()
  repo.git('checkout', '--quiet', '-b', 'old')
  add(repo, 'stays')
  const id = add(repo, 'moves')
  gza(repo, 'move', id, '--to', 'main')
  repo.git('branch', '-m', 'old', 'new')
  gza(repo, 'list')
  const { code, stderr } = repo.gza('undo')
  expect(code).toBe(1)
  expect(stderr).toContain('it names the branch old, which was renamed to new since')
  const [, hint = ''] = /(gza move .*?) has the same effect/.exec(stderr) ?? []
  expect(hint).toBe(`gza move ${id} --from main --to new`)
  outputOf(repo.run(hint.split(' ')))
  expect([contents(repo), contents(repo, '--branch', 'main')]).toEqual([['stays', 'moves'], []])
})

test('with a remote, a renamed branch is followed by sync once its old name is gone there', () => {
  const repo = aRepo({ bare: true }).clone()
  repo.commit('first')
  repo.git('checkout', '--quiet', '-b', 'feature')
  repo.git('push', '--quiet', 'origin', 'main', 'feature')
  add(repo, 'on feature')
  repo.git('branch', '-m', 'login')
  const named = 'which was renamed to login. Move them: gza move --all --from feature --to login\n'
  expect(repo.gza('list')).toMatchObject({ stdout: '', stderr: expect.stringContaining(named) })
  expect(gza(repo, 'sync')).not.toContain('login')
  repo.git('push', '--quiet', 'origin', ':feature', 'login')
  expect(repo.gza('sync').stderr).toContain('The branch feature was renamed to login: its tasks (1) moved along\n')
  expect(contents(repo)).toEqual(['on feature'])
})

test('a clone that does not fetch all branches does not call a branch deleted', () => {
  const origin = aRepo({ bare: true })
  const whole = origin.clone()
  whole.commit('first')
  whole.git('push', '--quiet', 'origin', 'main', 'main:feature')
  add(whole, 'on feature', '--branch', 'feature')
  gza(whole, 'sync')
  expect(whole.gza('list').stderr).not.toContain('no longer exists')
  const single = origin.clone()
  single.git('config', 'remote.origin.fetch', '+refs/heads/main:refs/remotes/origin/main')
  single.git('update-ref', '-d', 'refs/remotes/origin/feature')
  gza(single, 'sync')
  expect(single.gza('list').stderr).not.toContain('no longer exists')
})

/** On main, with a task there and one on `feature`. */
function aRepoWithFeature(): Repo {
  const repo = aStartedRepo()
  repo.git('branch', 'feature')
  add(repo, 'on main')
  add(repo, 'on feature', '--branch', 'feature')
  return repo
}
