import { expect, test } from 'bun:test'
import type { TaskView } from '../../src/workspace/views/views.ts'
import { add, aStartedRepo, ask, contents, gza, listAll, show, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'

interface Undone {
  undone: string
  commit: string
  ledger: string
  changed: { number: number; id: string; title: string; changes: string[] }[]
  tasks: TaskView[]
}

test('undo takes back an add: the task is gone from every list, its line and its number stay', () => {
  const repo = aStartedRepo()
  add(repo, 'kept')
  const id = add(repo, 'unwanted')
  const commit = tipOf(repo)
  const stdout = `Undone: add ${id} (${commit.slice(0, 7)})\n  #2 ${id}: unwanted (deleted)\n`
  expect(repo.gza('undo')).toEqual({ code: 0, stdout, stderr: '' })
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

test('what an undo changed is part of its result', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'as filed')
  gza(repo, 'edit', id, '--content', 'changed')
  gza(repo, 'done', id, '--note', 'finished')
  const { ledger, changed } = ask<Undone>(repo, 'undo')
  expect(ledger).toBe('main')
  const task = { number: 1, id }
  expect(changed).toEqual([{ ...task, title: 'changed', changes: ['completed → pending', 'note removed: finished'] }])
  const [edit] = ask<Undone>(repo, 'undo').changed
  expect(edit).toEqual({ ...task, title: 'as filed', changes: ['content: changed → as filed'] })
})

test('redo brings back what undo took back, one command after the other', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'a task')
  gza(repo, 'note', id, 'a note')
  gza(repo, 'edit', id, '--content', 'edited', '--group', 'one')
  repo.commit('work')
  gza(repo, 'done', id)
  const before = show(repo, id)
  for (let i = 0; i < 4; i++) gza(repo, 'undo')
  expect(contents(repo)).toEqual([])
  const redone = [1, 2, 3, 4].map(() => ask<{ redone: string }>(repo, 'redo').redone)
  expect(redone).toEqual([`add ${id}`, `note ${id}`, `edit ${id} content, group`, `done ${id}`])
  expect(show(repo, id)).toEqual(before)
  expect(repo.gza('redo')).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing to redo on main') })
  expect(ask<Undone>(repo, 'undo').undone).toBe(`done ${id}`)
  expect(repo.tasks('redo').stdout).toStartWith(`Redone: done ${id} (`)
  expect(repo.gza('verify').code).toBe(0)
})

test('after a new command there is nothing to redo', () => {
  const repo = aStartedRepo()
  add(repo, 'undone')
  gza(repo, 'undo')
  const id = add(repo, 'new')
  const redo = repo.gza('redo', '--json')
  expect(redo.code).toBe(1)
  expect(JSON.parse(redo.stdout)).toMatchObject({ error: { code: 'NOTHING_TO_REDO' } })
  expect(ask<Undone>(repo, 'undo').undone).toBe(`add ${id}`)
})

test('each ledger has its own order', () => {
  const repo = aStartedRepo()
  const [first, other] = [add(repo, 'on main'), add(repo, 'elsewhere', '--branch', 'side')]
  expect(ask<Undone>(repo, 'undo')).toMatchObject({ ledger: 'main', undone: `add ${first}` })
  expect(ask<Undone>(repo, 'undo', '--branch', 'side')).toMatchObject({ ledger: 'side', undone: `add ${other}` })
})

test('without its reflog nobody knows which commands were given here, and nothing is undone', () => {
  const repo = aStartedRepo()
  add(repo, 'a task')
  repo.run(['rm', '.git/logs/refs/tasks/main'])
  expect(repo.gza('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('refs/tasks/main has no reflog') })
  expect(contents(repo)).toEqual(['a task'])
  repo.run(['rm', '-r', '.git/gza'])
  const id = add(repo, 'after that')
  expect(ask<Undone>(repo, 'undo').undone).toBe(`add ${id}`)
  expect(repo.gza('undo').code).toBe(1)
  expect(contents(repo)).toEqual(['a task'])
})

test('a lost state store does not change what can be undone', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'a task')
  repo.run(['rm', '-r', '.git/gza'])
  expect(ask<Undone>(repo, 'undo').undone).toBe(`add ${id}`)
})

test('undo and redo take every kind of command back and forth', () => {
  const repo = aStartedRepo()
  add(repo, 'open', '--accept', 'one works', '--accept', 'two works', '--group', 'g')
  for (const content of ['finished', 'skipped']) add(repo, content)
  gza(repo, 'done', '2')
  gza(repo, 'resolve', '3', '--skip')
  const before = withoutAssignments(listAll(repo))
  for (const command of COMMANDS) {
    gza(repo, ...command.split(' '))
    const after = withoutAssignments(listAll(repo))
    expect(after).not.toEqual(before)
    gza(repo, 'undo')
    expect(withoutAssignments(listAll(repo))).toEqual(before)
    gza(repo, 'redo')
    expect(withoutAssignments(listAll(repo))).toEqual(after)
    gza(repo, 'undo')
  }
  expect(withoutAssignments(listAll(repo))).toEqual(before)
  expect(repo.gza('verify').code).toBe(0)
})

const COMMANDS = [
  'edit 1 --priority high',
  'edit 1 --after 2 --milestone M1',
  'edit 2 --reopen',
  'assign 1 claude',
  'resolve 1 --skip',
  'resolve 1 --abort',
  'resolve 3 --reset',
  'archive 2',
  'split 1 --strategy criteria',
  'delete 1 2',
]

/** Every assignment stays listed, also one that was undone. */
function withoutAssignments(tasks: readonly TaskView[]): Omit<TaskView, 'assignments'>[] {
  return tasks.map(({ assignments: _, ...task }) => task)
}

function twoClones(): [Repo, Repo] {
  const origin = aStartedRepo()
  return [origin.clone(), origin.clone()]
}
