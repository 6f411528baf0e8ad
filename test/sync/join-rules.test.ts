import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import { commitFiles, taskWithPrefix } from '../support/handmade-commits.ts'
import { add, aStartedRepo, ask, gza, show, tipOf, treeOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { act, anyCloneAction, threeClones, UNSHRUNK } from './arbitrary-clone-work.ts'
import { collectFacts } from './collected-facts.ts'

test('two clones that take each other in, neither seeing the other’s join, have the same bytes', async () => {
  const anyWork = fc.array(fc.record({ clone: fc.nat(1), deed: anyCloneAction }), { minLength: 1, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(anyWork, async (work) => {
      const team = threeClones()
      const [ann, ben] = team.clones as [Repo, Repo, Repo]
      // A part that was filed under a moved task follows it in a step of its own, which each clone records by itself.
      const hasMove = work.some(({ deed }) => deed.do === 'move')
      for (const { clone, deed } of work) {
        const own = deed.do === 'add' && hasMove ? { ...deed, isChild: false } : deed
        if (own.do !== 'sync') await act(team, clone, own, collectFacts())
      }
      const [copyOfAnn, copyOfBen] = [bareCopy(ann), bareCopy(ben)]
      gza(ann, 'sync', copyOfBen)
      gza(ben, 'sync', copyOfAnn)
      expect(treeOf(ann)).toBe(treeOf(ben))
      team.remote.remove()
    }),
    { numRuns: 8, ...UNSHRUNK },
  )
})

test('a number that two clones gave names the earlier task; the later one has a new number, and is named too', () => {
  const [ann, ben] = twoClones()
  const earlier = addAt(ann, 'earlier', '2026-01-01T10:00:00Z')
  const later = addAt(ben, 'later', '2026-01-01T11:00:00Z')
  meet(ann, ben)
  for (const repo of [ann, ben]) {
    expect(show(repo, '1').id).toBe(earlier)
    expect(repo.gza('show', '1').stderr).toBe(
      `Warning: #1 is ${earlier} earlier; before a merge it was also ${later} (now #2) later\n`,
    )
    expect(show(repo, '2').id).toBe(later)
    expect([show(repo, earlier).number, show(repo, later).number]).toEqual([1, 2])
  }
})

test('a person who filed later in a third clone gets the next free number', () => {
  const origin = aStartedRepo()
  const clones = [1, 2, 3].map(() => origin.clone())
  const ids = clones.map((clone, i) => addAt(clone, `task ${i}`, `2026-01-01T1${i}:00:00Z`))
  for (const clone of [...clones, ...clones]) gza(clone, 'sync')
  for (const clone of clones) expect(ids.map((id) => show(clone, id).number)).toEqual([1, 2, 3])
})

test('ids that clash are lengthened for the later task, and each means its own', () => {
  const [ann, ben] = twoClones()
  const [earlier, later] = [taskWithPrefix('abcd', 1), taskWithPrefix('abcd', 2)]
  importLines(ann, taskLine(earlier))
  importLines(ben, taskLine(later))
  expect([show(ann, 'task-abcd').uid, show(ben, 'task-abcd').uid]).toEqual([earlier.uid, later.uid])
  meet(ann, ben)
  for (const repo of [ann, ben]) {
    expect(show(repo, earlier.uid).id).toBe('task-abcd')
    expect(show(repo, later.uid).id).toBe(`task-${later.uid.slice(0, 5)}`)
    expect(show(repo, 'task-abcd').uid).toBe(earlier.uid)
  }
})

test('of two edits of one field the same one wins everywhere, and the other shows as a note', () => {
  const [ann, ben] = twoClones()
  const id = add(ann, 'as filed')
  meet(ann, ben)
  gza(ann, 'edit', id, '--content', 'as Ann says')
  gza(ben, 'edit', id, '--content', 'as Ben says')
  meet(ann, ben)
  const [first, second] = [show(ann, id), show(ben, id)]
  expect(second).toEqual(first)
  const lost = first.content === 'as Ann says' ? 'Ben' : 'Ann'
  expect(first.notes).toEqual([`content edited by ${lost} at the same time, not used: as ${lost} says`])
})

test('a later edit that saw the first beats it, whatever the clocks say', () => {
  const [ann, ben] = twoClones()
  const id = add(ann, 'as filed')
  gza(ann, 'edit', id, '--content', 'once')
  meet(ann, ben)
  gza(ben, 'edit', id, '--content', 'twice')
  meet(ben, ann)
  expect(show(ann, id)).toMatchObject({ content: 'twice', notes: [] })
})

test('done beats nothing but itself: a reset that saw it wins, one that did not loses no fact', () => {
  const [ann, ben] = twoClones()
  const id = add(ann, 'to and fro')
  gza(ann, 'done', id)
  meet(ann, ben)
  gza(ann, 'edit', id, '--reopen')
  gza(ben, 'note', id, 'still there')
  meet(ann, ben)
  expect(show(ben, id)).toMatchObject({ status: 'pending', notes: ['still there'] })
})

test('a task deleted here and noted there stays deleted, and keeps the note', () => {
  const [ann, ben] = twoClones()
  const id = add(ann, 'unwanted')
  meet(ann, ben)
  gza(ann, 'delete', id)
  gza(ben, 'note', id, 'wanted after all')
  meet(ann, ben)
  expect(ask<unknown[]>(ben, 'list', '--all')).toEqual([])
  expect(gza(ann, 'export')).toContain('wanted after all')
  expect(gza(ann, 'export')).toBe(gza(ben, 'export'))
})

test('unreadable lines survive a join on both sides', () => {
  const [ann, ben] = twoClones()
  for (const [repo, bad] of [
    [ann, '{"a":'],
    [ben, '{"b":'],
  ] as const) {
    add(repo, `beside ${bad}`)
    const commit = commitFiles(repo, { 'tasks.jsonl': (text) => `${text}${bad}\n` })
    gza(repo, 'verify', '--accept', commit)
  }
  meet(ann, ben)
  expect(treeOf(ann)).toBe(treeOf(ben))
  const text = ann.git('cat-file', 'blob', 'refs/tasks/main:tasks.jsonl')
  const short = text.split('\n').filter((line) => !line.endsWith('}'))
  expect(short.toSorted()).toEqual(['{"a":', '{"b":'])
  add(ann, 'one more')
  expect(ann.git('cat-file', 'blob', 'refs/tasks/main:tasks.jsonl')).toStartWith(`${text}\n{"id"`)
})

test('artifacts of both sides survive a join; of two texts under one name both are kept', () => {
  const [ann, ben] = twoClones()
  add(ann, 'planned')
  meet(ann, ben)
  commitFiles(ann, { 'artifacts/x/plan.md': () => 'Ann’s plan\n', 'artifacts/x/ann.md': () => 'Ann\n' })
  commitFiles(ben, { 'artifacts/x/plan.md': () => 'Ben’s plan\n', 'artifacts/x/ben.md': () => 'Ben\n' })
  meet(ann, ben)
  expect(treeOf(ann)).toBe(treeOf(ben))
  const paths = ann.git('ls-tree', '-r', '--name-only', 'refs/tasks/main', 'artifacts/').split('\n')
  const texts = paths.map((path) => ann.git('cat-file', 'blob', `refs/tasks/main:${path}`))
  expect(texts.sort()).toEqual(['Ann', 'Ann’s plan', 'Ben', 'Ben’s plan'])
  expect(paths.filter((path) => path.includes('plan.md'))).toEqual([
    'artifacts/x/plan.md',
    expect.stringMatching(/^artifacts\/x\/plan\.md~[0-9a-f]{12}$/),
  ])
  expect(ann.gza('verify').code).toBe(0)
})

function twoClones(): [Repo, Repo] {
  const origin = aStartedRepo()
  const clone = (name: string) => origin.clone().withEnv({ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: name })
  return [clone('Ann'), clone('Ben')]
}

/** Both hold everything afterwards. */
function meet(ann: Repo, ben: Repo): void {
  for (const repo of [ann, ben, ann]) gza(repo, 'sync')
  expect(tipOf(ann)).toBe(tipOf(ben))
}

function addAt(repo: Repo, content: string, created_at: string): string {
  importLines(repo, JSON.stringify({ content, created_at }))
  return ask<{ id: string }[]>(repo, 'list').at(-1)!.id
}

function importLines(repo: Repo, ...lines: string[]): void {
  const result = repo.run(['gza', 'import', '-', '--format', 'jsonl'], { stdin: `${lines.join('\n')}\n` })
  if (result.code !== 0) throw new Error(result.stderr)
}

/** A bare repository that holds the ledger as it is now. */
function bareCopy(repo: Repo): string {
  const path = `${repo.dir}-copy.git`
  repo.git('clone', '--quiet', '--bare', repo.dir, path)
  repo.git('push', '--quiet', path, 'refs/tasks/*:refs/tasks/*')
  return path
}
