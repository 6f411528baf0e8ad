import { expect, test } from 'bun:test'
import { add, aStartedRepo, ask, contents, gza, show, treeOf } from '../support/ledger-calls.ts'

test('restore brings a deleted task back with its id, number, notes and dependencies', () => {
  const repo = aStartedRepo()
  const [first, second] = [add(repo, 'first'), add(repo, 'second', '--after', '1', '--key', 'T2')]
  gza(repo, 'note', second, 'a note')
  const before = show(repo, second)
  gza(repo, 'delete', second)
  gza(repo, 'note', first, 'something else')
  expect(repo.gza('show', '2').stderr).toBe(
    `Error: No task #2 on main: ${second} second was deleted\n  gza restore 2\n`,
  )
  expect(repo.gza('restore')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^#2 \S+: T2 second \(deleted \S+Z by Test\)\n$/),
  })
  expect(repo.gza('restore', '2')).toEqual({ code: 0, stdout: '✓ Task #2 restored\n', stderr: '' })
  expect(show(repo, second)).toEqual(before)
  expect(repo.gza('restore')).toEqual({ code: 0, stdout: '', stderr: 'No deleted tasks.\n' })
})

test('restore names tasks by number, id, prefix or key, several at once', () => {
  const repo = aStartedRepo()
  const ids = [add(repo, 'one'), add(repo, 'two'), add(repo, 'three', '--key', 'T3')]
  gza(repo, 'delete', ...ids)
  expect(repo.tasks('restore', '1', ids[1]!.slice(0, 8), 't3').stdout).toBe(
    ids.map((id) => `${id}: restored\n`).join(''),
  )
  expect(contents(repo)).toEqual(['one', 'two', 'three'])
})

test('restore refuses what is not deleted, unknown names and agents', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'here')
  expect(repo.gza('restore', '1')).toMatchObject({
    code: 1,
    stderr: `Error: #1 ${id} here is not deleted\n  gza show 1\n`,
  })
  expect(repo.gza('restore', '9')).toMatchObject({ code: 1, stderr: expect.stringContaining('No task #9 on main') })
  gza(repo, 'delete', id)
  const agent = repo.withEnv({ GZA_AGENT: 'claude-code' })
  expect(agent.gza('restore', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('blocked in agent mode') })
  expect(JSON.parse(agent.gza('redo', '--json').stdout)).toMatchObject({ error: { code: 'AGENT_MODE' } })
})

test('a task is not restored under a key that another task has by now', () => {
  const repo = aStartedRepo()
  const old = add(repo, 'old', '--key', 'T1')
  gza(repo, 'delete', old)
  add(repo, 'new', '--key', 'T1')
  expect(repo.gza('restore', old)).toMatchObject({ code: 1, stderr: expect.stringContaining('T1 belongs to #2') })
})

test('a restored task stays restored in every clone, whoever deleted it', () => {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  const id = add(ann, 'a task')
  for (const repo of [ann, ben]) gza(repo, 'sync')
  gza(ann, 'delete', id)
  gza(ben, 'note', id, 'still needed')
  for (const repo of [ann, ben, ann]) gza(repo, 'sync')
  expect([contents(ann), contents(ben)]).toEqual([[], []])
  gza(ben, 'restore', id)
  for (const repo of [ann, ben, ann]) gza(repo, 'sync')
  expect(show(ann, id).notes).toEqual(['still needed'])
  expect(treeOf(ann)).toBe(treeOf(ben))
  expect(ask<{ undone: string }>(ben, 'undo').undone).toBe(`restore ${id}`)
  expect(contents(ben)).toEqual([])
})

test('a restored task whose number another one has since a merge comes back with its new number', () => {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  const [first, second] = [add(ann, 'Ann’s'), add(ben, 'Ben’s')]
  for (const repo of [ann, ben]) gza(repo, 'sync')
  const later = show(ben, first).number === 1 ? second : first
  gza(ben, 'delete', later)
  const restored = ben.gza('restore', later)
  expect(restored).toMatchObject({ code: 0, stdout: '✓ Task #2 restored\n' })
  expect(restored.stderr).toContain(`${later} is now #2: another task has #1 since a merge`)
})
