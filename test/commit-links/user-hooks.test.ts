import { expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { add, aStartedRepo, contents, gza } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { commitOf } from './linked-commits.ts'

const HOOKS = ['post-commit', 'pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-rewrite', 'reference-transaction']

test('the user’s hooks stay as they are, run for the user’s commits, and none is added', () => {
  const repo = aStartedRepo()
  const folder = join(repo.dir, '.git/hooks')
  for (const hook of HOOKS) writeHook(repo, join('.git/hooks', hook), record(repo, hook))
  const before = snapshot(folder)
  workThrough(repo)
  expect(snapshot(folder)).toEqual(before)
  const ran = new Set(hookLog(repo))
  expect([...ran].sort()).toEqual([...HOOKS].sort())
})

test('core.hooksPath is respected and left alone', () => {
  const repo = aStartedRepo()
  repo.git('config', 'core.hooksPath', 'my-hooks')
  for (const hook of HOOKS) writeHook(repo, join('my-hooks', hook), record(repo, hook))
  const [before, config] = [snapshot(join(repo.dir, 'my-hooks')), repo.git('config', '--get-all', 'core.hooksPath')]
  workThrough(repo)
  expect(snapshot(join(repo.dir, 'my-hooks'))).toEqual(before)
  expect(repo.git('config', '--get-all', 'core.hooksPath')).toBe(config)
  expect(readdirSync(join(repo.dir, '.git/hooks')).filter((name) => !name.endsWith('.sample'))).toEqual([])
})

test('a change of the ledger is not a commit of the user’s: no hook for commits runs', () => {
  const repo = aStartedRepo()
  for (const hook of HOOKS.filter((name) => name !== 'reference-transaction')) {
    writeHook(repo, join('.git/hooks', hook), `${record(repo, hook)}exit 1\n`)
  }
  const id = add(repo, 'quietly')
  gza(repo, 'note', id, 'a note')
  gza(repo, 'done', id)
  gza(repo, 'undo')
  expect(hookLog(repo)).toEqual([])
})

test('a reference-transaction hook that refuses ledgers is reported, and nothing is half done', () => {
  const repo = aStartedRepo()
  add(repo, 'before')
  const script = 'if [ "$1" = prepared ] && grep -q refs/tasks/; then echo "ledgers are frozen" >&2; exit 1; fi\n'
  writeHook(repo, '.git/hooks/reference-transaction', script)
  expect(repo.gza('add', 'after')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: git update-ref: ledgers are frozen\n' +
      '  Nothing was changed. A reference-transaction hook of this repository refused it.\n',
  })
  expect(contents(repo)).toEqual(['before'])
  expect(readdirSync(join(repo.dir, '.git')).filter((name) => name.includes('crash'))).toEqual([])
})

test('a hook that refuses the link does not keep anyone from reading; the next look links', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'read me')
  gza(repo, 'done', id)
  const commit = repo.commit('work')
  const hook = writeHook(repo, '.git/hooks/reference-transaction', 'if [ "$1" = prepared ]; then exit 1; fi\n')
  const result = repo.gza('list', '--all')
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('read me') })
  expect(result.stderr).toContain('Warning: Commits are not linked yet: ')
  chmodSync(hook, 0o644)
  expect(commitOf(repo, id)).toBe(commit)
})

/** Everything that writes a ledger, links or notes. */
function workThrough(repo: Repo): void {
  gza(repo, 'init')
  const id = add(repo, 'work')
  gza(repo, 'done', id)
  const commit = repo.commit('work', { work: 'done\n' })
  expect(commitOf(repo, id)).toBe(commit)
  repo.git('commit', '--quiet', '--amend', '--message', 'more work')
  expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'HEAD'))
  gza(repo, 'edit', id, '--content', 'other work')
  gza(repo, 'undo')
}

function writeHook(repo: Repo, path: string, script: string): string {
  const file = repo.write(path, `#!/bin/sh\n${script}`)
  chmodSync(file, 0o755)
  return file
}

function record(repo: Repo, hook: string): string {
  return `echo ${hook} >> ${join(repo.env.HOME!, 'hooks.log')}\n`
}

function hookLog(repo: Repo): string[] {
  const log = join(repo.env.HOME!, 'hooks.log')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

function snapshot(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
