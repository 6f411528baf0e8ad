import { expect, test } from 'bun:test'
import type { TaskView } from '../../src/workspace/views/views.ts'
import { add, aStartedRepo, ask, contents, gza, listAll, show, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'

interface Undone {
  undone: string
  commit: string
  tasks: TaskView[]
}

test('undo takes back an add: the task is gone from every list, its line and its number stay', () => {
  const repo = aStartedRepo()
  add(repo, 'kept')
  const id = add(repo, 'unwanted')
  const commit = tipOf(repo)
  expect(repo.gza('undo')).toEqual({ code: 0, stdout: `Undone: add ${id} (${commit.slice(0, 7)})\n`, stderr: '' })
  expect(contents(repo)).toEqual(['kept'])
  expect(gza(repo, 'export')).toContain('"content":"unwanted"')
  expect(show(repo, add(repo, 'next')).number).toBe(3)
})

test('undo takes back a done, with its note and its link', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'not yet')
  const commit = repo.commit('work')
  gza(repo, 'done', id, '--note', 'finished')
  gza(repo, 'undo')
  expect(show(repo, id)).toMatchObject({ status: 'pending', closed_at: null, closed_commit: null, notes: [] })
  expect(show(repo, id).commits).toEqual([commit])
})

test('undo takes back a done whose commit was linked meanwhile', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'not yet')
  gza(repo, 'done', id)
  repo.commit('work')
  expect(show(repo, id).closed_commit).not.toBeNull()
  expect(ask<Undone>(repo, 'undo').undone).toBe(`done ${id}`)
  expect(show(repo, id)).toMatchObject({ status: 'pending', closed_commit: null })
})

test('undo takes back a note, and only that one', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'noted')
  for (const text of ['first', 'second']) gza(repo, 'note', id, text)
  gza(repo, 'undo')
  expect(show(repo, id).notes).toEqual(['first'])
})

test('undo takes back an edit of several fields', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'as filed', '--group', 'one', '--priority', 'high')
  const before = show(repo, id)
  gza(
    repo,
    'edit',
    id,
    '--content',
    'changed',
    '--group',
    '',
    '--priority',
    'low',
    '--type',
    'plan',
    '--title',
    'a title',
  )
  gza(repo, 'undo')
  expect(show(repo, id)).toEqual(before)
})

test('undo brings a deleted task back', () => {
  const repo = aStartedRepo()
  const ids = [add(repo, 'one'), add(repo, 'two')]
  const before = listAll(repo)
  gza(repo, 'delete', ...ids)
  gza(repo, 'undo')
  expect(listAll(repo)).toEqual(before)
})

test('undo takes back an import as a whole', () => {
  const repo = aStartedRepo()
  add(repo, 'before')
  repo.run(['gza', 'import', '-'], { stdin: '- [ ] one\n  - [ ] two\n- [x] three\n' })
  expect(contents(repo)).toHaveLength(4)
  gza(repo, 'undo')
  expect(contents(repo)).toEqual(['before'])
})

test('undo of a reopening closes the task as it was', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'finished')
  repo.commit('work')
  gza(repo, 'done', id)
  const before = show(repo, id)
  gza(repo, 'edit', id, '--reopen')
  gza(repo, 'undo')
  expect(show(repo, id)).toEqual(before)
})

test('each further undo steps further back, past links and past what was undone', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'a task')
  gza(repo, 'edit', id, '--content', 'edited once')
  gza(repo, 'edit', id, '--content', 'edited twice')
  gza(repo, 'done', id)
  repo.commit('work')
  show(repo, id)
  const undone = [1, 2, 3, 4].map(() => ask<Undone>(repo, 'undo').undone)
  expect(undone).toEqual([`done ${id}`, `edit ${id} content`, `edit ${id} content`, `add ${id}`])
  expect(contents(repo)).toEqual([])
  expect(repo.gza('undo')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Error: Nothing to undo on main\n  gza log shows every change.\n',
  })
  expect(repo.gza('verify').code).toBe(0)
})

test('after an undo, new work is undone first', () => {
  const repo = aStartedRepo()
  const first = add(repo, 'first')
  add(repo, 'second')
  gza(repo, 'undo')
  const third = add(repo, 'third')
  expect([1, 2].map(() => ask<Undone>(repo, 'undo').undone)).toEqual([`add ${third}`, `add ${first}`])
})

test('undo is a step forward: history keeps both, and says what was undone', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'a task')
  const before = tipOf(repo)
  gza(repo, 'undo')
  const rows = ask<{ subject: string; undoes: string | null; parents: string[] }[]>(repo, 'log')
  expect(rows.map(({ subject, undoes }) => ({ subject, undoes }))).toEqual([
    { subject: `undo add ${id}`, undoes: before },
    { subject: `add ${id}`, undoes: null },
  ])
})

test('there is nothing to undo where nothing was done', () => {
  const repo = aStartedRepo()
  expect(repo.gza('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing to undo on main') })
})

test('a person takes back what an agent did here; agents take back nothing', () => {
  const repo = aStartedRepo()
  const agent = repo.withEnv({ ZAGI_AGENT: 'claude-code' })
  const id = add(agent, 'by an agent')
  expect(agent.gza('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('undo is blocked in agent mode') })
  expect(contents(repo)).toEqual(['by an agent'])
  expect(ask<Undone>(repo, 'undo').undone).toBe(`add ${id}`)
})

test('after a sync undo takes back what was done here, not what others did', () => {
  const [ann, ben] = twoClones()
  const [mine, theirs] = [add(ann, 'Ann’s'), add(ben, 'Ben’s')]
  for (const repo of [ann, ben, ann]) gza(repo, 'sync')
  expect(ask<Undone>(ann, 'undo').undone).toBe(`add ${mine}`)
  expect(contents(ann)).toEqual(['Ben’s'])
  expect(ask<Undone>(ben, 'undo').undone).toBe(`add ${theirs}`)
  for (const repo of [ann, ben, ann]) gza(repo, 'sync')
  expect([contents(ann), contents(ben)]).toEqual([[], []])
  expect(ann.gza('verify').code).toBe(0)
})

test('where all that is here came by sync there is nothing to undo', () => {
  const [ann, ben] = twoClones()
  add(ann, 'Ann’s')
  gza(ann, 'sync')
  gza(ben, 'sync')
  expect(ben.gza('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing to undo on main') })
})

test('what others changed since is left as they made it', () => {
  const [ann, ben] = twoClones()
  const id = add(ann, 'as filed')
  gza(ann, 'edit', id, '--content', 'Ann’s words', '--group', 'Ann’s group')
  for (const repo of [ann, ben]) gza(repo, 'sync')
  gza(ben, 'edit', id, '--content', 'Ben’s words')
  for (const repo of [ben, ann]) gza(repo, 'sync')
  gza(ann, 'undo')
  expect(show(ann, id)).toMatchObject({ content: 'Ben’s words', group: null })
})

test('a ledger without its reflog can still be undone', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'a task')
  repo.run(['rm', '.git/logs/refs/tasks/main'])
  expect(ask<Undone>(repo, 'undo').undone).toBe(`add ${id}`)
})

function twoClones(): [Repo, Repo] {
  const origin = aStartedRepo()
  return [origin.clone(), origin.clone()]
}
