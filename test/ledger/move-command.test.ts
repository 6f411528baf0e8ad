import { expect, test } from 'bun:test'
import { add, aStartedRepo, ask, contents, gza, listAll, show, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'

test('a moved task is visible in the other ledger with every fact, and hidden where it was', () => {
  const repo = aRepoWithFeature()
  add(repo, 'the first on main')
  const id = add(repo, `moves ${'long '.repeat(300)}`, '--branch', 'feature', '--group', 'a group', '--key', 'T1')
  gza(repo, 'note', id, 'a note', '--branch', 'feature')
  gza(repo, 'edit', id, '--priority', 'high', '--branch', 'feature')
  const before = ask<object>(repo, 'show', id, '--branch', 'feature')
  expect(gza(repo, 'move', '1', '--from', 'feature', '--to', 'main')).toMatch(/^✓ Task #1 moved to main as #2: moves /)
  expect(ask<object>(repo, 'show', id)).toEqual({ ...before, ledger: 'main', number: 2 })
  expect(contents(repo, '--branch', 'feature')).toEqual([])
  expect(repo.tasks('show', id, '--branch', 'feature')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`moved to main\n  git tasks show ${id} --branch main\n`),
  })
  expect(repo.gza('note', '1', 'too late', '--branch', 'feature').code).toBe(1)
  expect(gza(repo, 'verify', '--all-branches')).toContain('feature: ok')
})

test('both ledgers move in one transaction, and nothing is half done if it fails', () => {
  const repo = aRepoWithFeature()
  add(repo, 'stays', '--branch', 'feature')
  const before = tipOf(repo, 'feature')
  repo.write('.git/refs/tasks/main.lock', '')
  expect(repo.gza('move', '1', '--from', 'feature', '--to', 'main').code).not.toBe(0)
  expect([tipOf(repo, 'feature'), contents(repo, '--branch', 'feature')]).toEqual([before, ['stays']])
})

test('open dependencies and parts move along, finished dependencies are copied', () => {
  const repo = aRepoWithFeature()
  const on = ['--branch', 'feature']
  const [done, needed, whole] = [add(repo, 'done', ...on), add(repo, 'needed', ...on), add(repo, 'whole', ...on)]
  const part = add(repo, 'part', '--parent', whole, '--after', needed, '--after', done, ...on)
  const waits = add(repo, 'waits', '--after', whole, ...on)
  gza(repo, 'done', done, ...on)
  expect(ask<{ moved: object[]; copied: object[] }>(repo, 'move', whole, '--from', 'feature')).toMatchObject({
    from: 'feature',
    to: 'main',
    moved: [
      { id: needed, along: true, number: 2, number_before: 2 },
      { id: whole, along: false },
      { id: part, along: true },
    ],
    copied: [{ id: done, status: 'completed' }],
  })
  expect(show(repo, part)).toMatchObject({ parent: whole, blocked_by: [{ id: needed }] })
  expect(gza(repo, 'ready', ...on)).toContain(`${waits} blocked by #3`)
  gza(repo, 'done', needed)
  gza(repo, 'done', part)
  expect(show(repo, whole).status).toBe('completed')
  expect(gza(repo, 'ready', ...on)).toContain(`#5 ${waits}: waits`)
  gza(repo, 'edit', whole, '--reopen')
  expect(gza(repo, 'ready', ...on)).toContain(`${waits} blocked by #3`)
})

test('texts of agents and the names of milestones go along', () => {
  const repo = aRepoWithFeature()
  repo.write('plan.md', '# Shop\n\n## Phase 1: Core\n\n### T1: Model\n\n### T2: Store\n')
  gza(repo, 'plan', 'import', 'plan.md', '--branch', 'feature')
  repo.write('found.md', 'what was found\n')
  gza(repo, 'note', 'T1', 'see the text', '--attach', 'found.md', '--branch', 'feature')
  const before = filesOf(repo, 'feature')
  expect(before).toHaveLength(2)
  gza(repo, 'move', '--all', '--from', 'feature')
  expect(filesOf(repo, 'main')).toEqual(before)
  expect(gza(repo, 'milestones')).toContain('M1 Core')
  expect(repo.gza('verify', '--all-branches').code).toBe(0)
})

function filesOf(repo: Repo, ledger: string): string[] {
  const files = repo.git('ls-tree', '-r', `refs/tasks/${ledger}`, 'artifacts')
  return files.split('\n').filter(Boolean)
}

test('a task that moves back is as it was, on hold only if a person put it on hold', () => {
  const repo = aRepoWithFeature()
  const id = add(repo, 'there and back', '--branch', 'feature')
  const before = ask<object>(repo, 'show', id, '--branch', 'feature')
  gza(repo, 'move', id, '--from', 'feature')
  gza(repo, 'note', id, 'on main')
  expect(repo.gza('move', id, '--to', 'feature').stdout).toBe('✓ Task #1 moved to feature: there and back\n')
  expect(ask<object>(repo, 'show', id, '--branch', 'feature')).toEqual({ ...before, notes: ['on main'] })
  expect(gza(repo, 'ready', '--branch', 'feature')).toContain(id)
  expect([contents(repo), listAll(repo, '--all-branches').length]).toEqual([[], 1])
  expect(repo.gza('verify', '--all-branches').code).toBe(0)
})

test('--open moves what is open, --all everything, also from a branch that is gone and to one without tasks', () => {
  const repo = aRepoWithFeature()
  const on = ['--branch', 'feature']
  for (const content of ['one', 'two', 'three']) add(repo, content, ...on)
  gza(repo, 'done', '2', ...on)
  repo.git('branch', '-D', 'feature')
  gza(repo, 'move', '--open', '--from', 'feature')
  expect([contents(repo), contents(repo, ...on)]).toEqual([['one', 'three'], ['two']])
  repo.git('branch', 'fresh')
  gza(repo, 'move', '--all', '--to', 'fresh')
  expect([contents(repo), contents(repo, '--branch', 'fresh')]).toEqual([[], ['one', 'three']])
  expect(repo.gza('move', '--open', '--to', 'fresh')).toMatchObject({ code: 0, stderr: 'Nothing to move.\n' })
})

test('what cannot move is refused with the reason, and nothing is changed', () => {
  const repo = aRepoWithFeature()
  const on = ['--branch', 'feature']
  const whole = add(repo, 'whole', '--key', 'T1', ...on)
  const part = add(repo, 'part', '--parent', whole, ...on)
  add(repo, 'has the key', '--key', 't1')
  gza(repo, 'claim', part, ...on)
  const before = repo.git('for-each-ref')
  const refused = [
    [['move', part, '--from', 'feature'], 1, 'Task #2 is part of #1'],
    [['move', whole, '--from', 'feature'], 1, 'is in progress'],
    [['move', '1', '--to', 'featrue'], 1, 'There is no branch featrue; did you mean feature?'],
    [['move', '1', '--from', 'featrue'], 1, 'featrue has no tasks; did you mean feature?'],
    [['move', '1', '--to', 'main'], 2, 'The tasks are already on main'],
    [['move', '1'], 2, 'Where to?'],
    [['move', '--to', 'feature'], 2, 'Which tasks?'],
    [['move', '1', '--open', '--to', 'feature'], 2, 'Name tasks, or use --open, or --all'],
    [['move', '9', '--to', 'feature'], 1, 'No task #9 on main'],
    [['move', '1', '--to', 'bad..name'], 2, 'cannot be the name of a branch'],
  ] as const
  for (const [args, code, why] of refused) {
    expect([args, repo.gza(...args)]).toMatchObject([args, { code, stderr: expect.stringContaining(why) }])
  }
  const agent = repo.withEnv({ GZA_AGENT: 'claude-code' })
  for (const branch of ['feature', 'featrue', 'main'])
    expect(agent.gza('move', '1', '--to', branch).stderr).toContain('move is blocked in agent mode')
  expect(repo.git('for-each-ref')).toBe(before)
  gza(repo, 'release', part, ...on)
  expect(repo.gza('move', whole, '--from', 'feature').stderr).toContain('The key T1 of #1 belongs to #1')
})

test('undo takes a move back in both ledgers, from either of them, and redo brings it back', () => {
  for (const branch of ['main', 'feature']) {
    const repo = aRepoWithFeature()
    const on = ['--branch', 'feature']
    const id = add(repo, 'moves', ...on)
    gza(repo, 'move', id, '--from', 'feature')
    gza(repo, 'note', id, 'given on main')
    if (branch === 'main') gza(repo, 'undo')
    expect(gza(repo, 'undo', '--branch', branch)).toContain(`moves (moved to feature)`)
    expect([contents(repo), contents(repo, ...on)]).toEqual([[], ['moves']])
    expect(gza(repo, 'redo', '--branch', branch)).toContain(`moves (moved to main)`)
    expect([contents(repo), contents(repo, ...on)]).toEqual([['moves'], []])
    expect(ask<object>(repo, 'undo', '--branch', branch)).toMatchObject({
      undone: `move ${id} from feature to main`,
      changed: [{ id, changes: ['moved to feature'] }],
      tasks: [{ id, ledger: 'feature', notes: branch === 'main' ? [] : ['given on main'] }],
    })
    expect(repo.gza('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing to undo on main') })
    expect(gza(repo, 'undo', ...on)).toContain('(deleted)')
    expect(repo.gza('verify', '--all-branches').code).toBe(0)
  }
})

test('a move that was moved back by hand is in the way of no earlier undo', () => {
  const repo = aRepoWithFeature()
  const on = ['--branch', 'feature']
  add(repo, 'on main before')
  const id = add(repo, 'moves', ...on)
  gza(repo, 'move', id, '--from', 'feature')
  gza(repo, 'move', id, '--to', 'feature')
  gza(repo, 'undo')
  gza(repo, 'undo')
  expect([contents(repo), contents(repo, ...on)]).toEqual([['on main before'], ['moves']])
  gza(repo, 'undo')
  expect([contents(repo), contents(repo, ...on)]).toEqual([[], ['moves']])
  expect(repo.gza('verify', '--all-branches').code).toBe(0)
})

/** On main, with a branch `feature`. */
function aRepoWithFeature(): Repo {
  const repo = aStartedRepo()
  repo.git('branch', 'feature')
  return repo
}
