import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { aRepo, type Repo, type Result } from '../support/repo.ts'

/** Runs gza where the only `git` on PATH records that it was called, and does nothing. */
function runWithoutGit(repo: Repo, args: string[]): Result & { calledGit: boolean } {
  const folder = join(repo.env.HOME as string, 'no-git')
  const marker = join(folder, 'called')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$*" >> ${marker}\nexit 1\n`)
  chmodSync(join(folder, 'git'), 0o755)
  const result = repo.withEnv({ PATH: folder }).gza(...args)
  return { ...result, calledGit: existsSync(marker) }
}

/** Tasks of every kind, with an index that knows them and the commits on their branch. */
function fill(repo: Repo): Repo {
  repo.commit('first')
  for (const content of ['one', 'two', 'three', 'four']) outputOf(repo.gza('add', content, '--group', 'g'))
  outputOf(repo.gza('edit', '3', '--after', '2'))
  outputOf(repo.gza('note', '2', 'a note'))
  outputOf(repo.gza('delete', '4'))
  repo.commit('the work')
  outputOf(repo.gza('done', '1'))
  outputOf(repo.gza('list'))
  return repo
}

const READS = [
  ['restore'],
  ['ready'],
  ['ready', '--json'],
  ['next'],
  ['next', '--all'],
  ['show', '2'],
  ['show', '1', '--json'],
  ['list'],
  ['list', '--all', '--json'],
  ['list', '--status', 'done'],
  ['list', '--text', 'two'],
  ['search', 'two'],
  ['search', 'note', '--json'],
  ['status'],
  ['status', 'g'],
  ['groups'],
  ['export'],
  ['pr'],
  ['query', 'SELECT id, content FROM tasks'],
]

describe('with a current index no git is called by', () => {
  const repo = fill(aRepo())
  for (const args of READS) {
    test(args.join(' '), () => {
      const expected = repo.gza(...args)
      expect(expected.code).toBe(0)
      expect(runWithoutGit(repo, args)).toEqual({ ...expected, calledGit: false })
    })
  }
})

test('the same holds in a linked worktree, with packed refs, in a SHA-256 repository and on a detached HEAD', () => {
  const packed = fill(aRepo())
  packed.git('pack-refs', '--all', '--prune')
  const sha256 = fill(aRepo({ objectFormat: 'sha256' }))
  const main = fill(aRepo())
  const worktree = main.worktree('feature')
  const detached = fill(aRepo())
  detached.git('checkout', '--quiet', '--detach')
  for (const repo of [packed, sha256, worktree, detached]) {
    const args = ['ready', '--json', '--branch', 'main']
    const expected = repo.gza(...args)
    expect(JSON.parse(expected.stdout)).toHaveLength(1)
    expect(runWithoutGit(repo, args)).toEqual({ ...expected, calledGit: false })
  }
})

test('a stale index is never used for an answer: without git the command fails', () => {
  const repo = fill(aRepo())
  const tip = repo.git('rev-parse', 'refs/tasks/main')
  outputOf(repo.gza('add', 'five'))
  outputOf(repo.gza('list'))
  repo.git('update-ref', 'refs/tasks/main', tip)
  const { code, calledGit, stdout } = runWithoutGit(repo, ['ready'])
  expect([code === 0, calledGit, stdout]).toEqual([false, true, ''])
})
