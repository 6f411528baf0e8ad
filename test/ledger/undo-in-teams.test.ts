import { expect, test } from 'bun:test'
import { add, aStartedRepo, ask, contents, gza, show, tipOf, treeOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

test('undo refuses to take back an add that a teammate has finished, and names who, what and where', () => {
  const [ann, ben] = aTeam()
  const id = add(ann, 'Write the parser')
  sync(ann, ben)
  gza(ben, 'done', id)
  const commit = tipOf(ben).slice(0, 7)
  sync(ben, ann)
  expect(ann.gza('undo')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `Error: add ${id} cannot be undone: Ben in another clone finished #1 ${id} (${commit})\n` +
      '  Nothing was changed. gza log shows every change.\n',
  })
  expect(show(ann, id).status).toBe('completed')
  const asked = ann.tasks('undo', '--json')
  expect(JSON.parse(asked.stdout)).toMatchObject({ error: { code: 'BUILT_ON' } })
})

test('undo refuses to take back an add that a teammate’s task depends on', () => {
  const [ann, ben] = aTeam()
  add(ann, 'Write the parser')
  sync(ann, ben)
  const id = add(ben, 'Test the parser', '--after', '1')
  sync(ben, ann)
  expect(ann.gza('undo').stderr).toContain(`Ben in another clone added #2 ${id}, which depends on it (`)
  expect(contents(ann)).toEqual(['Write the parser', 'Test the parser'])
})

test('undo of a done is refused once a teammate has finished what waited for it', () => {
  const [ann, ben] = aTeam()
  const [first, second] = [add(ann, 'first'), add(ann, 'second', '--after', '1')]
  gza(ann, 'done', first)
  sync(ann, ben)
  gza(ben, 'done', second)
  sync(ben, ann)
  expect(ann.gza('undo').stderr).toContain(`Ben in another clone finished #2 ${second}, which depends on it (`)
})

test('undo of an edit is refused if a teammate edited the same field, not if another one', () => {
  const [ann, ben] = aTeam()
  const id = add(ann, 'as filed')
  gza(ann, 'edit', id, '--group', 'Ann’s group')
  sync(ann, ben)
  gza(ben, 'edit', id, '--content', 'Ben’s words')
  sync(ben, ann)
  gza(ann, 'undo')
  expect(show(ann, id)).toMatchObject({ content: 'Ben’s words', group: null })
  gza(ann, 'redo')
  sync(ann, ben)
  gza(ben, 'edit', id, '--group', 'Ben’s group')
  sync(ben, ann)
  expect(ann.gza('undo').stderr).toContain(`Ben in another clone edited #1 ${id} (`)
  expect(show(ann, id).group).toBe('Ben’s group')
})

test('a teammate with the same name does not count as this clone', () => {
  const [ann, ben] = aTeam('Ann', 'Ann')
  const mine = add(ann, 'mine')
  sync(ann, ben)
  add(ben, 'theirs')
  sync(ben, ann)
  expect(ask<{ undone: string }>(ann, 'undo').undone).toBe(`add ${mine}`)
  expect(ann.gza('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing to undo on main') })
  expect(contents(ann)).toEqual(['theirs'])
})

test('redo is refused where a teammate has built on what undo left', () => {
  const [ann, ben] = aTeam()
  const id = add(ann, 'as filed')
  gza(ann, 'delete', id)
  gza(ann, 'undo')
  sync(ann, ben)
  gza(ben, 'done', id)
  sync(ben, ann)
  expect(ann.gza('redo').stderr).toContain(`delete ${id} cannot be redone: Ben in another clone finished #1 ${id} (`)
})

test('clones of which one undid and redid end with the same ledger', () => {
  const [ann, ben] = aTeam()
  const id = add(ann, 'a task')
  sync(ann, ben)
  gza(ann, 'note', id, 'Ann’s note')
  gza(ann, 'edit', id, '--content', 'Ann’s words')
  gza(ann, 'undo')
  gza(ann, 'undo')
  gza(ann, 'redo')
  gza(ben, 'note', id, 'Ben’s note')
  gza(ben, 'edit', id, '--group', 'Ben’s group')
  gza(ben, 'undo')
  sync(ann, ben, ann)
  expect(treeOf(ann)).toBe(treeOf(ben))
  expect(show(ann, id)).toMatchObject({ content: 'a task', group: null })
  expect(show(ann, id).notes.toSorted()).toEqual(['Ann’s note', 'Ben’s note'])
  for (const repo of [ann, ben]) expect(repo.gza('verify').code).toBe(0)
})

test('undo passes over claims and runs, and is refused while somebody works on the task', () => {
  const [ann, ben] = aTeam()
  const id = add(ann, 'a task')
  gza(ann, 'note', id, 'a note')
  sync(ann, ben)
  gza(ann, 'claim', id)
  expect(ann.gza('undo').stderr).toContain(`note ${id} cannot be undone: somebody is working on #1 ${id}`)
  gza(ann, 'release', id)
  expect(ask<{ undone: string }>(ann, 'undo').undone).toBe(`note ${id}`)
  expect(ask<{ undone: string }>(ann, 'undo').undone).toBe(`add ${id}`)
})

test('undo passes over runs and landings, and does not take back what an agent has built on', () => {
  const repo = anAgentRepo({ else: 'echo x > made && git add made && git commit -qm made' })
  const number = repo.add('Make it')
  gza(repo, 'work', number)
  gza(repo, 'merge', number)
  gza(repo, 'note', number, 'thanks')
  const { id } = show(repo, number)
  expect(ask<{ undone: string }>(repo, 'undo').undone).toBe(`note ${id}`)
  const undo = repo.gza('undo')
  expect(undo.code).toBe(1)
  expect(undo.stderr).toMatch(
    new RegExp(`^Error: add ${id} cannot be undone: a run here started #1 ${id} \\(\\w{7}\\), a run here finished #1 `),
  )
  expect(show(repo, number).status).toBe('completed')
})

test('what a run has built on stays, with everything that needs it, and undo goes further back', () => {
  const repo = anAgentRepo({ else: 'echo x > made && git add made && git commit -qm made' })
  const [first, base, needs] = [repo.add('First'), repo.add('Base'), repo.add('Needs it', '--after', '2')]
  const ids = [first, base, needs].map((number) => show(repo, number).id)
  gza(repo, 'done', '2')
  gza(repo, 'work', needs)
  const undo = repo.gza('undo', '--json')
  expect(JSON.parse(undo.stdout).undone).toBe(`add ${ids[0]}`)
  expect(undo.stderr.split('\n').filter(Boolean)).toEqual([
    expect.stringMatching(new RegExp(`^Warning: done ${ids[1]} cannot be undone: a run here \\w+ #3 .*It stays$`)),
    expect.stringMatching(new RegExp(`^Warning: add ${ids[2]} cannot be undone: a run here .*It stays$`)),
    expect.stringMatching(new RegExp(`^Warning: add ${ids[1]} cannot be undone: a command here added #3 .*It stays$`)),
  ])
  expect(repo.statuses()).toEqual({ Base: 'completed', 'Needs it': 'completed' })
  expect(repo.gza('undo').stderr).toContain(`done ${ids[1]} cannot be undone`)
  expect(ask<{ redone: string }>(repo, 'redo').redone).toBe(`add ${ids[0]}`)
})

function aTeam(...names: string[]): [Repo, Repo] {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  ann.git('config', 'user.name', names[0] ?? 'Ann')
  ben.git('config', 'user.name', names[1] ?? 'Ben')
  return [ann, ben]
}

function sync(...clones: Repo[]): void {
  for (const clone of clones) gza(clone, 'sync')
}
