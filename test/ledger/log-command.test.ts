import { expect, test } from 'bun:test'
import { add, aStartedRepo, ask, gza, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'

interface Row {
  commit: string
  by: string
  mode: string
  run: string | null
  subject: string
}

test('log shows every change, newest first, with who made it and how', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'a task')
  const agent = repo.withEnv({ ZAGI_AGENT: 'claude-code', GZA_RUN: 'run-7' })
  gza(agent, 'note', id, 'a note')
  gza(repo, 'delete', id)
  const rows = ask<Row[]>(repo, 'log')
  expect(rows.map(({ by, mode, run, subject }) => ({ by, mode, run, subject }))).toEqual([
    { by: 'Test', mode: 'human', run: null, subject: `delete ${id}` },
    { by: 'claude-code', mode: 'agent', run: 'run-7', subject: `note ${id}` },
    { by: 'Test', mode: 'human', run: null, subject: `add ${id}` },
  ])
  expect(rows[0]?.commit).toBe(tipOf(repo))
  const [first, second] = gza(repo, 'log').split('\n')
  expect(first).toMatch(
    new RegExp(`^${tipOf(repo).slice(0, 7)} \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ Test: delete ${id}$`),
  )
  expect(second).toMatch(new RegExp(` claude-code \\(agent\\): note ${id}$`))
})

test('log --limit shows so many', () => {
  const repo = aStartedRepo()
  const ids = ['one', 'two', 'three'].map((content) => add(repo, content))
  expect(subjects(repo, '--limit', '2')).toEqual([`add ${ids[2]}`, `add ${ids[1]}`])
})

test('log of a task shows only what changed it, however it is named', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'followed', '--key', 'T1')
  const other = add(repo, 'waits for it', '--after', id)
  gza(repo, 'note', id, 'a note')
  gza(repo, 'note', other, `about ${id}`)
  gza(repo, 'edit', id, '--content', 'edited')
  const expected = [`edit ${id} content`, `note ${id}`, `add ${id}`]
  for (const name of [id, '1', 'T1', id.slice(0, 8)]) expect(subjects(repo, name)).toEqual(expected)
  expect(subjects(repo, id, '--limit', '2')).toEqual(expected.slice(0, 2))
})

test('a task that merely moved to another file, as its shard was full, was not changed', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'early')
  repo.run(['gza', 'import', '-'], { stdin: Array.from({ length: 63 }, (_, i) => `- [ ] filler ${i}\n`).join('') })
  const last = add(repo, 'the 65th')
  expect(repo.git('ls-tree', '-r', '--name-only', 'refs/tasks/main')).toContain('shards/0000/00.jsonl')
  gza(repo, 'note', id, 'late')
  expect(subjects(repo, id)).toEqual([`note ${id}`, `add ${id}`])
  expect(subjects(repo, last)).toEqual([`add ${last}`])
})

test('log of a large task finds the changes of its own file', () => {
  const repo = aStartedRepo()
  const id = add(repo, `large ${'x'.repeat(3000)}`)
  gza(repo, 'note', id, 'first')
  gza(repo, 'note', id, 'second')
  expect(subjects(repo, id)).toEqual([`note ${id}`, `note ${id}`, `add ${id}`])
})

test('log of a task that came by sync shows what was done to it elsewhere', () => {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  const id = add(ann, 'Ann’s')
  gza(ann, 'note', id, 'a note')
  add(ben, 'Ben’s')
  for (const repo of [ann, ben]) gza(repo, 'sync')
  expect(subjects(ben, id)).toEqual([`note ${id}`, `add ${id}`])
  expect(subjects(ben)).toContain('join origin')
})

test('git log itself reads as the audit trail', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'a task')
  gza(repo.withEnv({ ZAGI_AGENT: 'claude-code' }), 'done', id)
  const log = repo.git(
    'log',
    '-p',
    '--format=%s|%(trailers:key=Actor,valueonly,separator=%x2C)|%(trailers:key=Mode,valueonly,separator=%x2C)',
    'refs/tasks/main',
  )
  expect(log.split('\n').filter((line) => line.includes('|'))).toEqual([
    `done ${id}|claude-code|agent`,
    `add ${id}|Test|human`,
  ])
  expect(log).toContain(`+{"id":"${id}","content":"a task","status":"completed"`)
})

test('an empty ledger has no history, and a task that is not there is an error', () => {
  const repo = aStartedRepo()
  expect(repo.gza('log')).toMatchObject({ code: 0, stdout: '' })
  expect(repo.gza('log', '7')).toMatchObject({ code: 1, stderr: expect.stringContaining('No task #7 on main') })
})

function subjects(repo: Repo, ...args: string[]): string[] {
  return ask<Row[]>(repo, 'log', ...args).map(({ subject }) => subject)
}
