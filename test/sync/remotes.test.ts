import { expect, test } from 'bun:test'
import { chmodSync, existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { add, aStartedRepo, contents, gza, tipOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

test('a remote can be named, given as a path, or as a URL', () => {
  const [repo, backup] = [aStartedRepo(), aRepo({ bare: true })]
  add(repo, 'one')
  repo.git('remote', 'add', 'backup', backup.dir)
  expect(gza(repo, 'sync', 'backup')).toBe('main: pushed to backup (1 task)')
  add(repo, 'two')
  expect(gza(repo, 'sync', backup.dir)).toBe(`main: pushed to ${backup.dir} (2 tasks)`)
  add(repo, 'three')
  expect(gza(repo, 'sync', `file://${backup.dir}`)).toBe(`main: pushed to file://${backup.dir} (3 tasks)`)
  expect(tipOf(backup)).toBe(tipOf(repo))
})

test('unless named it is the branch’s own remote, then origin, then the only one', () => {
  const [repo, one, two] = [aStartedRepo(), aRepo({ bare: true }), aRepo({ bare: true })]
  add(repo, 'a task')
  repo.git('remote', 'add', 'only', one.dir)
  expect(gza(repo, 'sync')).toBe('main: pushed to only (1 task)')
  repo.git('remote', 'add', 'origin', two.dir)
  expect(gza(repo, 'sync')).toBe('main: pushed to origin (1 task)')
  repo.git('config', 'branch.main.remote', 'only')
  expect(gza(repo, 'sync')).toBe('main: the same as on only (1 task)')
})

test('without a remote, or with several and no origin, it says what to do', () => {
  const repo = aStartedRepo()
  expect(repo.gza('sync')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Error: This repository has no remote\n  git remote add origin URL\n',
  })
  for (const name of ['one', 'two']) repo.git('remote', 'add', name, '/nowhere')
  expect(repo.gza('sync')).toMatchObject({
    code: 1,
    stderr: 'Error: There are several remotes, and none is named origin\n  gza sync one (remotes: one, two)\n',
  })
})

test('a remote that cannot be reached is one clear error, and nothing is changed', () => {
  const origin = aRepo({ bare: true })
  const repo = origin.clone()
  add(repo, 'a task')
  const tip = tipOf(repo)
  renameSync(origin.dir, `${origin.dir}-away`)
  expect(repo.gza('sync')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `Error: Could not fetch from origin: fatal: '${origin.dir}' does not appear to be a git repository\n` +
      '  Nothing was changed. Check that git fetch works, then run gza sync again.\n',
  })
  expect(tipOf(repo)).toBe(tip)
  renameSync(`${origin.dir}-away`, origin.dir)
  expect(gza(repo, 'sync')).toBe('main: pushed to origin (1 task)')
})

test('a host that does not answer is not reported as a bug', () => {
  const repo = aStartedRepo()
  repo.git('remote', 'add', 'origin', 'git://127.0.0.1:1/nothing.git')
  add(repo, 'a task')
  expect(repo.gza('sync')).toMatchObject({ code: 1, stderr: expect.stringContaining('Could not fetch from origin') })
})

test('a remote of the other object format is one clear error', () => {
  const [repo, remote] = [aStartedRepo({ objectFormat: 'sha256' }), aStartedRepo()]
  add(repo, 'a task')
  add(remote, 'another')
  expect(repo.gza('sync', remote.dir)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('mismatched algorithms'),
  })
})

test('a remote that takes no rewrites takes every sync', () => {
  const origin = aRepo({ bare: true })
  for (const name of ['receive.denyNonFastForwards', 'receive.denyDeletes']) origin.git('config', name, 'true')
  const [ann, ben] = [origin.clone(), origin.clone()]
  for (let round = 0; round < 3; round++) {
    for (const repo of [ann, ben]) {
      add(repo, `task of round ${round}`)
      gza(repo, 'sync')
    }
  }
  gza(ann, 'sync')
  expect([contents(ann).length, tipOf(ann)]).toEqual([6, tipOf(ben)])
})

test('a remote whose hook refuses is reported; what it has is joined here, what is here stays', () => {
  const origin = aRepo({ bare: true })
  const [ann, ben] = [origin.clone(), origin.clone()]
  add(ben, 'theirs')
  gza(ben, 'sync')
  const hook = writeHook(origin, 'hooks/pre-receive', 'echo "no tasks on Fridays" >&2; exit 1')
  add(ann, 'ours')
  expect(ann.gza('sync')).toEqual({
    code: 1,
    stdout: 'main: rejected by origin (2 tasks)\n',
    stderr:
      'Warning: origin printed: no tasks on Fridays\n' +
      'Warning: origin rejected main (pre-receive hook declined). Nothing is lost, and what was fetched is joined. ' +
      'The owner of origin decides who may push refs/tasks/*; then run gza sync again\n',
  })
  expect(contents(ann).sort()).toEqual(['ours', 'theirs'])
  chmodSync(hook, 0o644)
  expect(gza(ann, 'sync')).toBe('main: pushed to origin (2 tasks)')
})

test('the user’s own pre-push hook guards code, and is not asked about ledgers', () => {
  const repo = aRepo({ bare: true }).clone()
  const mark = join(repo.env.HOME!, 'asked')
  writeHook(repo, '.git/hooks/pre-push', `touch ${mark}; exit 1`)
  add(repo, 'a task')
  expect(gza(repo, 'sync')).toBe('main: pushed to origin (1 task)')
  expect(existsSync(mark)).toBe(false)
})

test('a new, empty remote under the old name gets everything', () => {
  const repo = aRepo({ bare: true }).clone()
  add(repo, 'a task')
  gza(repo, 'sync')
  const fresh = aRepo({ bare: true })
  repo.git('remote', 'set-url', 'origin', fresh.dir)
  expect(gza(repo, 'sync')).toBe('main: pushed to origin (1 task)')
  expect(tipOf(fresh)).toBe(tipOf(repo))
})

test('a ledger that someone deleted on the remote is pushed again', () => {
  const origin = aRepo({ bare: true })
  const repo = origin.clone()
  add(repo, 'a task')
  gza(repo, 'sync')
  origin.git('update-ref', '-d', 'refs/tasks/main')
  expect(gza(repo, 'sync')).toBe('main: pushed to origin (1 task)')
  expect(tipOf(origin)).toBe(tipOf(repo))
})

test('a ledger that was archived here does not come back, unless someone continues it', () => {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  const id = add(ann, 'over', '--branch', 'gone')
  gza(ann, 'sync')
  gza(ben, 'sync')
  gza(ann, 'prune', '--archive-open')
  expect(gza(ann, 'sync')).toBe('No ledgers here or on origin')
  gza(ben, 'note', id, 'not over', '--branch', 'gone')
  gza(ben, 'sync')
  expect(gza(ann, 'sync')).toBe('gone: pulled from origin (1 task)')
})

test('a ledger that git cannot hold beside another stays where it is; all others are exchanged', () => {
  const origin = aRepo({ bare: true })
  const [ann, ben] = [origin.clone(), origin.clone()]
  add(ann, 'of the feature', '--branch', 'feature')
  gza(ann, 'sync')
  add(ben, 'below it', '--branch', 'feature/x')
  add(ben, 'on main')
  const result = ben.gza('sync')
  expect(result).toEqual({
    code: 1,
    stdout:
      'feature/x: not exchanged with origin (1 task)\n' +
      'main: pushed to origin (1 task)\n' +
      'feature: not exchanged with origin (0 tasks)\n',
    stderr:
      'Warning: The tasks of feature/x stay here: origin has those of feature, and git does not allow a ref below another. ' +
      'If the branch feature is gone, gza prune --remote archives its tasks, here and on origin; then sync again\n' +
      'Warning: The tasks of feature stay on origin: this repository has those of feature/x, and git does not allow a ref below another\n',
  })
  expect(contents(ben, '--branch', 'feature/x')).toEqual(['below it'])
  expect(gza(ann, 'sync').split('\n')).toContain('main: pulled from origin (1 task)')
})

test('a sync that meets another fetch of the same ledgers tries again', () => {
  const remote = aRepo({ bare: true })
  const clone = remote.clone()
  clone.commit('first')
  add(clone, 'one')
  gza(clone, 'sync')
  const other = remote.clone()
  gza(other, 'sync')
  add(other, 'two')
  gza(other, 'sync')
  // Real git, which finds the ref locked at the first fetch.
  const git = clone.run(['sh', '-c', 'command -v git']).stdout.trim()
  const lock = join(clone.dir, '.git/refs/gza/remotes/origin/tasks/main.lock')
  const script = `case "$*" in *fetch*) test -e ../was || { mkdir -p ${dirname(lock)}; touch ${lock} ../was; ${git} "$@"; code=$?; rm ${lock}; exit $code; };; esac`
  chmodSync(clone.write('../wrapper/git', `#!/bin/sh\n${script}\nexec ${git} "$@"\n`), 0o755)
  const busy = clone.withEnv({ PATH: `${join(clone.dir, '../wrapper')}:${clone.env.PATH}` })
  gza(busy, 'sync')
  expect(contents(clone)).toEqual(['one', 'two'])
})

test('agents do not sync', () => {
  const repo = aRepo({ bare: true }).clone()
  add(repo, 'a task')
  expect(repo.withEnv({ ZAGI_AGENT: 'claude-code' }).gza('sync')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('sync is blocked in agent mode'),
  })
})

function writeHook(repo: Repo, path: string, script: string): string {
  const file = repo.write(path, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}
