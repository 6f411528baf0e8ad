import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { commitFiles } from '../support/handmade-commits.ts'
import { add, aStartedRepo, ask, contents, gza, listAll, tipOf, treeOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

test('sync prints for each ledger what it did', () => {
  const [ann, ben] = twoClones()
  add(ann, 'one')
  expect(gza(ann, 'sync')).toBe('main: pushed to origin (1 task)')
  expect(gza(ann, 'sync')).toBe('main: the same as on origin (1 task)')
  expect(gza(ben, 'sync')).toBe('main: pulled from origin (1 task)')
  add(ann, 'two')
  add(ben, 'three')
  gza(ann, 'sync')
  expect(ask(ben, 'sync')).toEqual({
    remote: 'origin',
    ledgers: [{ ledger: 'main', result: 'joined', task_count: 3, detail: null }],
    printed: [],
  })
  expect(gza(ann, 'sync')).toBe('main: pulled from origin (3 tasks)')
  expect(treeOf(ann)).toBe(treeOf(ben))
})

test('with no ledger anywhere there is nothing to do', () => {
  expect(twoClones()[0].gza('sync')).toEqual({ code: 0, stdout: 'No ledgers here or on origin\n', stderr: '' })
})

test('clones that sync at the same moment all succeed, and nothing is lost', async () => {
  const origin = aRepo({ bare: true })
  const clones = Array.from({ length: 4 }, () => origin.clone())
  for (let round = 0; round < 3; round++) {
    for (const [i, clone] of clones.entries()) add(clone, `${round} of ${i}`)
    const results = await Promise.all(clones.map((clone) => clone.start(['gza', 'sync'])))
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(clones.map(() => ({ code: 0, stderr: '' })))
  }
  for (const clone of clones) gza(clone, 'sync')
  const expected = clones.flatMap((_, i) => [0, 1, 2].map((round) => `${round} of ${i}`)).sort()
  for (const clone of clones) {
    expect(contents(clone).sort()).toEqual(expected)
    expect(clone.gza('verify').code).toBe(0)
  }
})

test('tasks filed while a sync runs are kept, and go with the next one', async () => {
  const [ann, ben] = twoClones()
  add(ben, 'theirs')
  gza(ben, 'sync')
  add(ann, 'ours')
  const adding = Array.from({ length: 8 }, (_, i) => ann.start(['gza', 'add', `meanwhile ${i}`]))
  const results = await Promise.all([ann.start(['gza', 'sync']), ...adding])
  expect(results.map(({ code }) => code)).toEqual(results.map(() => 0))
  gza(ann, 'sync')
  gza(ben, 'sync')
  expect(contents(ben)).toHaveLength(10)
  expect(treeOf(ben)).toBe(treeOf(ann))
})

test('all ledgers go, whichever branch is checked out', () => {
  const [ann, ben] = twoClones()
  add(ann, 'on main')
  add(ann, 'on the feature', '--branch', 'feature/login')
  add(ben, 'on another', '--branch', 'other')
  gza(ann, 'sync')
  expect(gza(ben, 'sync').split('\n').sort()).toEqual([
    'feature/login: pulled from origin (1 task)',
    'main: pulled from origin (1 task)',
    'other: pushed to origin (1 task)',
  ])
  expect(contents(ben, '--branch', 'feature/login')).toEqual(['on the feature'])
})

test.each(['sha1', 'sha256'] as const)('%s repositories exchange', (objectFormat) => {
  const origin = aStartedRepo({ objectFormat })
  const [ann, ben] = [origin.clone(), origin.clone()]
  for (const repo of [ann, ben]) add(repo, `a task of ${repo === ann ? 'Ann' : 'Ben'}`)
  for (const repo of [ann, ben, ann]) gza(repo, 'sync')
  expect(tipOf(ann)).toBe(tipOf(ben))
  expect(ann.git('rev-parse', '--show-object-format')).toBe(objectFormat)
  expect([contents(ann).length, ann.gza('verify').code]).toEqual([2, 0])
})

test('a ledger pushed by hand works repeatedly, and sync understands what it left', () => {
  const [ann, ben] = twoClones()
  for (const content of ['one', 'two', 'three']) {
    add(ann, content)
    ann.git('push', '--quiet', 'origin', 'refs/tasks/*:refs/tasks/*')
  }
  expect(gza(ben, 'sync')).toBe('main: pulled from origin (3 tasks)')
  add(ben, 'four')
  ben.git('push', '--quiet', 'origin', 'refs/tasks/*:refs/tasks/*')
  add(ann, 'five')
  expect(ann.run(['git', 'push', 'origin', 'refs/tasks/*:refs/tasks/*'])).toMatchObject({ code: 1 })
  expect(gza(ann, 'sync')).toBe('main: joined with origin (5 tasks)')
  expect(contents(ann).sort()).toEqual(['five', 'four', 'one', 'three', 'two'])
})

test('a fetch with --prune, plain or configured, never takes a ledger away', () => {
  const [ann] = twoClones()
  gza(ann, 'init')
  add(ann, 'not pushed')
  add(ann, 'on another', '--branch', 'other')
  ann.git('config', 'fetch.prune', 'true')
  ann.git('fetch', '--quiet', '--prune')
  ann.git('fetch', '--quiet', '--all', '--prune')
  ann.git('remote', 'prune', 'origin')
  expect([contents(ann), contents(ann, '--branch', 'other')]).toEqual([['not pushed'], ['on another']])
  gza(ann, 'sync')
  add(ann, 'after the sync')
  ann.git('fetch', '--quiet', '--prune')
  expect(contents(ann)).toEqual(['not pushed', 'after the sync'])
})

test('neither init nor sync changes what plain push and fetch do', () => {
  const [ann] = twoClones()
  const before = ann.git('config', '--get-regexp', '^(remote|branch|push|fetch)\\.')
  gza(ann, 'init')
  add(ann, 'a task')
  gza(ann, 'sync')
  expect(ann.git('config', '--get-regexp', '^(remote|branch|push|fetch)\\.')).toBe(before)
})

test('a clone that lost its index, and a shallow one, sync like any other', () => {
  const origin = aStartedRepo()
  const ann = origin.clone()
  for (const content of ['one', 'two']) add(ann, content)
  gza(ann, 'sync')
  rmSync(join(ann.dir, '.git/gza'), { recursive: true })
  add(ann, 'three')
  rmSync(join(ann.dir, '.git/gza'), { recursive: true })
  expect(gza(ann, 'sync')).toBe('main: pushed to origin (3 tasks)')
  const shallow = origin.clone()
  shallow.git('fetch', '--quiet', '--depth=1')
  add(shallow, 'four')
  expect(gza(shallow, 'sync')).toBe('main: joined with origin (4 tasks)')
  expect(shallow.gza('verify').code).toBe(0)
})

test('a closing that came with a sync is named in the note of its commit', () => {
  const [ann, ben] = twoClones()
  const ids = [add(ann, 'one'), add(ann, 'two')]
  const commit = ann.commit('work')
  gza(ann, 'done', ...ids)
  ann.git('push', '--quiet', 'origin', 'HEAD:refs/heads/work')
  gza(ann, 'sync')
  ben.git('fetch', '--quiet')
  gza(ben, 'sync')
  expect(listAll(ben).map(({ closed_commit }) => closed_commit)).toEqual([commit, commit])
  const note = ben.git('notes', '--ref=tasks', 'show', commit)
  expect(note.split('\n').sort()).toEqual([`${ids[0]}: one`, `${ids[1]}: two`].sort())
})

test('a ledger that was written by a newer gza stays as it is on both sides; the others are exchanged', () => {
  const [ann, ben] = twoClones()
  add(ann, 'of today')
  gza(ann, 'sync')
  gza(ben, 'sync')
  const newer = commitFiles(ann, { format: () => '99\n' })
  ann.git('push', '--quiet', 'origin', 'refs/tasks/*:refs/tasks/*')
  add(ben, 'of today too')
  add(ben, 'elsewhere', '--branch', 'other')
  const tip = tipOf(ben)
  expect(ben.gza('sync')).toEqual({
    code: 1,
    stdout: 'main: not exchanged with origin (2 tasks)\nother: pushed to origin (1 task)\n',
    stderr:
      'Warning: The tasks of main are not exchanged with origin: ' +
      `The ledger at ${newer.slice(0, 7)} was written by a newer gza (format 99, this one reads 1)\n`,
  })
  expect(tipOf(ben)).toBe(tip)
  expect(ben.gza('verify').code).toBe(0)
})

test('a ledger that is only a symbolic ref to a branch is not exchanged: no code goes out as tasks', () => {
  const [ann, ben] = twoClones()
  add(ann, 'a task')
  ann.git('symbolic-ref', 'refs/tasks/odd', 'refs/heads/main')
  expect(ann.gza('sync')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('main: pushed to origin (1 task)\n'),
    stderr: expect.stringContaining('refs/tasks/odd is not a ledger: it is a symbolic ref to refs/heads/main'),
  })
  expect(ben.git('ls-remote', 'origin', 'refs/tasks/*')).toEndWith('refs/tasks/main')
  expect(ben.git('ls-remote', 'origin', 'refs/tasks/odd')).toBe('')
})

function twoClones(): [Repo, Repo] {
  const origin = aStartedRepo()
  return [origin.clone(), origin.clone()]
}
