import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aSharedRepo } from '../runs/clones/clone-repos.ts'
import { outputOf } from '../support/ledger-answers.ts'
import type { AgentRepo } from '../support/scripted-agent.ts'

/** What a git that is killed at the start of `worktree add` leaves: git then neither fetches nor adds a worktree. */
const LEFT = { 'while it writes the path': '', 'before it writes the commit': '../..\n' }

function leaveHalfMade(repo: AgentRepo, path: string, commondir: string, hasLink = true): string {
  const folder = join(repo.dir, '.git/worktrees/killed')
  mkdirSync(folder, { recursive: true })
  mkdirSync(path, { recursive: true })
  writeFileSync(join(folder, 'locked'), 'initializing\n')
  writeFileSync(join(folder, 'gitdir'), `${path}/.git\n`)
  writeFileSync(join(folder, 'HEAD'), `${'0'.repeat(40)}\n`)
  writeFileSync(join(folder, 'commondir'), commondir)
  writeFileSync(join(path, '.git'), hasLink ? `gitdir: ${folder}\n` : '')
  return folder
}

/** Where gza makes its worktrees: the agent of the first task has seen it. */
function worked(): AgentRepo & { root: string } {
  const repo = aSharedRepo({})
  repo.add('one')
  outputOf(repo.gza('work', '--all'))
  return { ...repo, root: dirname(repo.calls()[0]?.cwd ?? '') }
}

test('sync and work remove a worktree of gza that a killed git has left unreadable, and continue', () => {
  const repo = worked()
  for (const commondir of Object.values(LEFT)) {
    const folder = leaveHalfMade(repo, join(repo.root, 'killed'), commondir)
    expect(repo.run(['git', 'fetch']).code).not.toBe(0)
    expect(repo.gza('sync').code).toBe(0)
    expect([existsSync(folder), readdirSync(repo.root)]).toEqual([false, []])
  }
  leaveHalfMade(repo, join(repo.root, 'killed'), '')
  repo.add('two')
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(repo.task('2').runs.map(({ outcome }) => outcome)).toEqual(['completed'])
})

test('a folder in which a killed git had only begun to write its link is in nobody’s way', () => {
  const repo = worked()
  leaveHalfMade(repo, join(repo.root, 'killed'), '', false)
  expect(repo.gza('sync').code).toBe(0)
  expect(readdirSync(repo.root)).toEqual([])
})

test('a worktree of somebody else stays, and stops work as a fault of the machine without using up an attempt', () => {
  const repo = worked()
  const folder = leaveHalfMade(repo, repo.beside('elsewhere'), '')
  repo.add('two')
  const work = repo.gza('work', '--all')
  expect([work.code, work.stderr]).toEqual([1, expect.stringContaining('failed to read .git/worktrees/killed')])
  expect(work.stderr).toContain('move its folder below worktrees elsewhere')
  expect([existsSync(folder), repo.statuses()]).toEqual([true, { one: 'completed', two: 'pending' }])
  repo.run(['mv', folder, repo.beside('moved')])
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(repo.task('2').runs.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})
