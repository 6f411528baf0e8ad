import { expect, test } from 'bun:test'
import { commitFiles } from '../support/handmade-commits.ts'
import { add, aStartedRepo, ask, contents, gza, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'

/** Rewrites the content of a task without an edit: no command of gza does that. */
const forged = (text: string) => text.replace('Write the parser', 'Delete the parser')

/** A repository with two clones that have the same task, and a third one that has forged it and pushed it by hand. */
function aForgedRemote() {
  const origin = aStartedRepo()
  const [ann, ben, eve] = ['Ann', 'Ben', 'Eve'].map((name) =>
    origin.clone().withEnv({
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: `${name}@example.com`,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: `${name}@example.com`,
    }),
  ) as [Repo, Repo, Repo]
  const task = add(ann, 'Write the parser')
  add(ann, 'Write the docs', '--branch', 'docs')
  for (const clone of [ann, ben, eve]) gza(clone, 'sync')
  const bad = commitFiles(eve, { 'tasks.jsonl': forged })
  eve.git('push', '-q', 'origin', 'refs/tasks/main:refs/tasks/main')
  return { origin, ann, ben, eve, task, bad }
}

const NAMED = (bad: string) => `${bad.slice(0, 7)} by Eve <Eve@example.com>: `

test('sync refuses only the ledger with an illegal commit, keeps our facts, and ends with 1', () => {
  const { ann, ben, task, bad } = aForgedRemote()
  gza(ann, 'note', task, 'of Ann')
  gza(ben, 'add', 'Check the docs', '--branch', 'docs')
  ben.gza('sync')
  const before = tipOf(ann)
  const sync = ann.gza('sync')
  expect(sync.code).toBe(1)
  expect(sync.stdout).toContain('main: refused, not exchanged with origin')
  expect(sync.stderr).toContain(NAMED(bad))
  expect(tipOf(ann)).toBe(before)
  expect(contents(ann)).toEqual(['Write the parser'])
  expect(contents(ann, '--branch', 'docs')).toEqual(['Write the docs', 'Check the docs'])
  expect(ann.git('ls-remote', 'origin', 'refs/tasks/main')).toStartWith(bad)
})

test('inbox and verify name the first bad commit of the remote and its author', () => {
  const { ann, bad } = aForgedRemote()
  const later = ann.gza('sync').code
  expect(later).toBe(1)
  const verify = ann.gza('verify')
  expect(verify.code).toBe(1)
  expect(verify.stdout).toContain(NAMED(bad))
  expect(gza(ann, 'inbox')).toContain(NAMED(bad))
  const [item] = ask<{ code: string; commands: string[] }[]>(ann, 'inbox')
  expect(item?.code).toBe('ILLEGAL_HISTORY')
  const commit = bad.slice(0, 12)
  expect(item?.commands).toEqual([`gza verify --accept ${commit}`, `gza sync --without ${commit}`])
})

test('a clone that has nothing of its own yet does not take it in either', () => {
  const { origin, bad } = aForgedRemote()
  const fresh = origin.clone()
  const sync = fresh.gza('sync')
  expect([sync.code, sync.stderr.includes(NAMED(bad))]).toEqual([1, true])
  expect(contents(fresh)).toEqual([])
  expect(contents(fresh, '--branch', 'docs')).toEqual(['Write the docs'])
  expect(gza(fresh, 'inbox')).toContain(NAMED(bad))
})

test('a person accepts the commit: verify is OK, sync takes it in; an agent may not', () => {
  const { ann, bad } = aForgedRemote()
  ann.gza('sync')
  const agent = ann.withEnv({ GZA_AGENT: 'claude-code' }).gza('verify', '--accept', bad)
  expect([agent.code, agent.stderr.includes('verify --accept is blocked in agent mode')]).toEqual([1, true])
  expect(ann.gza('verify', '--accept', tipOf(ann)).stderr).toContain('is not an illegal commit of main')
  expect(gza(ann, 'verify', '--accept', bad.slice(0, 10))).toStartWith('main: OK, 1 accepted (')
  gza(ann, 'sync')
  expect(tipOf(ann)).toBe(bad)
  expect(gza(ann, 'verify')).toStartWith('main: OK, 1 accepted (')
  expect(gza(ann, 'inbox')).not.toContain(bad.slice(0, 7))
})

test('work, run and merge refuse a ledger that plain git has put over ours, until a person accepts it', () => {
  const { ann, bad } = aForgedRemote()
  ann.write('gza.yaml', 'agents:\n  helper:\n    command: "true"\n')
  ann.git('fetch', '-q', 'origin', 'refs/tasks/*:refs/tasks/*')
  const trusted = ann.withEnv({ GZA_TRUST: '1' })
  for (const argv of [
    ['gza', 'work'],
    ['gza', 'merge', '--all'],
    ['git-tasks', 'run'],
    ['gza', 'sync'],
  ]) {
    const { code, stderr } = trusted.run(argv)
    expect({ argv, code, isNamed: stderr.includes(NAMED(bad)) }).toEqual({ argv, code: 1, isNamed: true })
  }
  expect(gza(ann, 'inbox')).toContain(NAMED(bad))
  expect(gza(ann, 'verify', '--accept', bad)).toStartWith('main: OK, 1 accepted (')
  expect(trusted.gza('merge', '--all').stderr).not.toContain('illegal')
  gza(ann, 'sync')
})

test('sync --without publishes the last legal state with our facts, and no clone brings the commit back', () => {
  const { origin, ann, ben, eve, task, bad } = aForgedRemote()
  ben.git('fetch', '-q', 'origin', 'refs/tasks/*:refs/tasks/*')
  gza(ben, 'note', task, 'of Ben, after the forgery')
  add(ben, 'Filed by Ben')
  gza(ann, 'note', task, 'of Ann')
  expect(ann.gza('sync').code).toBe(1)
  expect(ann.gza('sync', '--without', tipOf(ann)).stderr).toContain('is not an illegal commit of main')
  const agent = ann.withEnv({ GZA_AGENT: 'claude-code' }).gza('sync', '--without', bad)
  expect([agent.code, agent.stderr.includes('blocked in agent mode')]).toEqual([1, true])

  gza(ann, 'sync', '--without', bad.slice(0, 12))
  const published = ann.git('ls-remote', 'origin', 'refs/tasks/main').split('\t')[0]
  expect(published).toBe(tipOf(ann))
  expect(ann.git('log', '-1', '--format=%B', 'refs/tasks/main')).toContain(`Without: ${bad}`)

  for (const clone of [ben, eve, ann]) gza(clone, 'sync')
  const fresh = origin.clone()
  gza(fresh, 'sync')
  for (const clone of [ann, ben, fresh]) {
    expect(contents(clone)).toEqual(['Write the parser', 'Filed by Ben'])
    expect(ask<{ notes: string[] }>(clone, 'show', task).notes.toSorted()).toEqual([
      expect.stringContaining('of Ann'),
      expect.stringContaining('of Ben, after the forgery'),
    ])
    expect(clone.run(['git', 'merge-base', '--is-ancestor', bad, 'refs/tasks/main']).code).toBe(1)
    expect(clone.gza('verify').stdout).toStartWith('main: ok (')
  }
  expect(contents(eve)).toEqual(['Write the parser', 'Filed by Ben'])
})
