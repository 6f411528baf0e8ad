import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { add, aStartedRepo, gza, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { readOnly } from './run-read-only.ts'

test.each([
  ['with an index', () => {}],
  ['without an index', (repo: Repo) => rmSync(join(repo.dir, '.git/gza'), { recursive: true })],
])('a repository that cannot be written can be read, also where a link is due, %s', (_, prepare) => {
  const repo = aStartedRepo()
  const [id, open] = [add(repo, 'finished'), add(repo, 'open')]
  gza(repo, 'done', id)
  repo.commit('work')
  const tip = tipOf(repo)
  prepare(repo)
  expect(readOnly(repo, 'list', '--all')).toEqual({
    code: 0,
    stdout: `#1 ${id}: finished (completed)\n#2 ${open}: open\n`,
    stderr: '',
  })
  expect(readOnly(repo, 'show', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('status: completed') })
  expect(readOnly(repo, 'pr').stdout).toContain(`- [x] ${id}: finished`)
  expect(readOnly(repo, 'log').stdout.split('\n')).toHaveLength(4)
  expect(readOnly(repo, 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('main: ok (3 commits') })
  expect(tipOf(repo)).toBe(tip)
})

const WRITES = [
  ['add', 'more'],
  ['done', '1'],
  ['note', '1', 'text'],
  ['edit', '1', '--content', 'other'],
  ['delete', '1'],
  ['undo'],
  ['redo'],
  ['restore', '3'],
]

test('in a repository that cannot be written every command that would write reports it', () => {
  const repo = aStartedRepo()
  for (const content of ['open', 'also open', 'undone']) add(repo, content)
  gza(repo, 'undo')
  const tip = tipOf(repo)
  for (const args of WRITES) {
    const result = readOnly(repo, ...args)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(
      /^Error: .*\n {2}Nothing was changed\. The repository cannot be written by this user: work in a clone of your own\.\n$/,
    )
  }
  expect(tipOf(repo)).toBe(tip)
})
