import { describe, expect, test } from 'bun:test'
import { add, aStartedRepo, ask, contents, gza, show } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { refusalOf } from './refused-command.ts'

const KINDS = ['--after', '--depends-on', '--based-on']

describe('dependencies that come back to where they start', () => {
  test.each(KINDS)('a task cannot wait for itself (%s)', (flag) => {
    const repo = aStartedRepo()
    add(repo, 'one')
    expect(refusalOf(repo, ['edit', '1', flag, '1'])).toEqual({
      exit: 1,
      code: 'DEPENDENCY_CYCLE',
      message: 'Task #1 would wait for itself: #1 → #1 (explicit)',
      hint: 'Nothing was changed. Leave out one of these links.',
    })
  })

  test.each(KINDS)('two tasks cannot wait for each other (%s)', (flag) => {
    const repo = aStartedRepo()
    add(repo, 'one')
    add(repo, 'two', '--after', '1')
    expect(refusalOf(repo, ['edit', '1', flag, '2'])).toMatchObject({
      exit: 1,
      code: 'DEPENDENCY_CYCLE',
      message: 'Task #1 would wait for itself: #1 → #2 (explicit) → #1 (explicit)',
    })
  })

  test('a dependency cycle through many tasks, of all three kinds, is found and shown', () => {
    const repo = aStartedRepo()
    add(repo, 'task 1')
    for (let n = 2; n <= 7; n++) add(repo, `task ${n}`, KINDS[n % 3] ?? '', String(n - 1))
    expect(refusalOf(repo, ['edit', '1', '--based-on', '7'])).toMatchObject({
      exit: 1,
      code: 'DEPENDENCY_CYCLE',
      message: `Task #1 would wait for itself: #1 → ${[7, 6, 5, 4, 3, 2, 1].map((n) => `#${n} (explicit)`).join(' → ')}`,
    })
    expect(show(repo, 1)).toMatchObject({ based_on: [], blocked_by: [] })
  })

  test('nothing of an edit that would close a cycle is done', () => {
    const repo = aStartedRepo()
    add(repo, 'one')
    add(repo, 'two', '--after', '1')
    expect(refusalOf(repo, ['edit', '1', '--title', 'new title', '--after', '2'])).toMatchObject({ exit: 1 })
    expect(show(repo, 1).title).toBe('one')
  })

  test('a link that is taken out makes room for its opposite', () => {
    const repo = aStartedRepo()
    const [one, two] = [add(repo, 'one'), add(repo, 'two', '--after', '1')]
    gza(repo, 'edit', '2', '--after', '')
    gza(repo, 'edit', '1', '--after', '2')
    expect([show(repo, one).after, show(repo, two).after]).toEqual([[two], []])
  })
})

describe('parents that come back to where they start', () => {
  test('a task cannot be its own parent, nor its grandchild’s child', () => {
    const repo = aStartedRepo()
    add(repo, 'top')
    add(repo, 'middle', '--parent', '1')
    add(repo, 'leaf', '--parent', '2')
    const hint = 'Nothing was changed. Leave out one of these links.'
    expect(refusalOf(repo, ['edit', '1', '--parent', '1'])).toEqual({
      exit: 1,
      code: 'PARENT_CYCLE',
      message: 'Task #1 would be its own ancestor: #1 → #1',
      hint,
    })
    expect(refusalOf(repo, ['edit', '1', '--parent', '3'])).toEqual({
      exit: 1,
      code: 'PARENT_CYCLE',
      message: 'Task #1 would be its own ancestor: #1 → #3 → #2 → #1',
      hint,
    })
  })
})

describe('a parent waits for its children', () => {
  /** #1 has the part #3, which has the part #4; #2 waits for #1. */
  function family(): Repo {
    const repo = aStartedRepo()
    add(repo, 'whole')
    add(repo, 'follower', '--after', '1')
    add(repo, 'part', '--parent', '1')
    add(repo, 'part of the part', '--parent', '3')
    return repo
  }
  const loop = (repo: Repo, ...argv: string[]) => {
    const { exit, code, message } = refusalOf(repo, argv)
    expect([exit, code]).toEqual([1, 'DEPENDENCY_CYCLE'])
    return message
  }

  test('a new part cannot wait for what waits for its parent, however far up', () => {
    const repo = family()
    expect(loop(repo, 'add', 'new', '--parent', '1', '--after', '2')).toBe(
      'The new task would wait for itself: new → #2 (explicit) → #1 (explicit) → new (child)',
    )
    expect(loop(repo, 'add', 'new', '--parent', '3', '--depends-on', '2')).toBe(
      'The new task would wait for itself: new → #2 (explicit) → #1 (explicit) → #3 (child) → new (child)',
    )
    expect(loop(repo, 'add', 'new', '--parent', '1', '--based-on', '1')).toBe(
      'The new task would wait for itself: new → #1 (explicit) → new (child)',
    )
  })

  test('an edit can close a cycle as dependency or as parent', () => {
    const repo = family()
    expect(loop(repo, 'edit', '4', '--depends-on', '2')).toBe(
      'Task #4 would wait for itself: #4 → #2 (explicit) → #1 (explicit) → #3 (child) → #4 (child)',
    )
    expect(loop(repo, 'edit', '2', '--parent', '3')).toBe(
      'Task #2 would wait for itself: #2 → #1 (explicit) → #3 (child) → #2 (child)',
    )
    expect(show(repo, 2).parent).toBeNull()
  })

  test('an import cannot close one with tasks that the ledger has', () => {
    const repo = family()
    const line = JSON.stringify({ content: 'new', parent: '1', after: '2' })
    const { code, message } = refusalOf(repo, ['import', '-'], { stdin: line })
    expect([code, message]).toEqual([
      'DEPENDENCY_CYCLE',
      'These tasks wait for each other: new → #2 (explicit) → #1 (explicit) → new (child)',
    ])
  })

  test('what is finished waits for nothing; opened again, it does', () => {
    const repo = family()
    gza(repo, 'done', '4')
    expect(show(repo, 1).status).toBe('completed')
    gza(repo, 'add', 'an afterthought', '--parent', '1', '--after', '2')
    expect(loop(repo, 'edit', '1', '--reopen')).toBe(
      'Task #1 would wait for itself: #1 → #5 (child) → #2 (explicit) → #1 (explicit)',
    )
  })
})

/** Two clones that each did something legal, and what a sync made of both. */
function afterSync(change: { here: (repo: Repo) => void; there: (repo: Repo) => void }): Repo {
  const origin = aRepo({ bare: true })
  const [here, there] = [origin.clone(), origin.clone()]
  for (const content of ['one', 'two', 'three']) add(here, content)
  for (const clone of [here, there]) gza(clone, 'sync')
  change.here(here)
  change.there(there)
  for (const clone of [here, there, here]) gza(clone, 'sync')
  expect(gza(there, 'export')).toBe(gza(here, 'export'))
  return here
}

describe('a dependency cycle that only a sync could close', () => {
  test('of dependencies: every command answers, both tasks are blocked and can be freed', () => {
    const repo = afterSync({
      here: (clone) => gza(clone, 'edit', '1', '--after', '2'),
      there: (clone) => gza(clone, 'edit', '2', '--after', '1'),
    })
    expect(ask<{ number: number }[]>(repo, 'ready').map(({ number }) => number)).toEqual([3])
    expect(gza(repo, 'next', '--all')).toBe(
      '1. [task] one (blocked by #2)\n2. [task] two (blocked by #1)\n3. [task] three',
    )
    expect(gza(repo, 'pr').match(/\(blocked\)/g)).toHaveLength(2)
    gza(repo, 'edit', '1', '--after', '')
    expect(ask<{ number: number }[]>(repo, 'ready').map(({ number }) => number)).toEqual([1, 3])
  })

  test('it stops no edit that does not close another, and each of its links can be taken out', () => {
    const repo = afterSync({
      here: (clone) => gza(clone, 'edit', '1', '--after', '2', '--depends-on', '3'),
      there: (clone) => gza(clone, 'edit', '2', '--after', '1') + gza(clone, 'edit', '3', '--parent', '2'),
    })
    gza(repo, 'edit', '1', '--title', 'first')
    gza(repo, 'edit', '1', '--after', '')
    expect(show(repo, 1)).toMatchObject({ title: 'first', after: [], depends_on: [show(repo, 3).id] })
  })

  test('of parents: no view leaves the tasks out', () => {
    const repo = afterSync({
      here: (clone) => gza(clone, 'edit', '1', '--parent', '2'),
      there: (clone) => gza(clone, 'edit', '2', '--parent', '1'),
    })
    const titles = ['one', 'two', 'three']
    expect(contents(repo)).toEqual(titles)
    for (const args of [['pr'], ['export', '--markdown'], ['export', '--csv'], ['list'], ['status'], ['next']]) {
      const shown = gza(repo, ...args)
      expect({ args, missing: titles.filter((title) => !shown.includes(title)) }).toEqual({ args, missing: [] })
    }
    gza(repo, 'edit', '1', '--parent', '')
    expect(show(repo, 2)).toMatchObject({ parent: show(repo, 1).id })
  })
})
