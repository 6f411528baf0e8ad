import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { QueueItem } from '../../src/landing/read-queue.ts'
import { outputOf } from '../support/ledger-answers.ts'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { done } from './finished-tasks.ts'

function queue(repo: AgentRepo): QueueItem[] {
  return JSON.parse(outputOf(repo.gza('queue', '--branch', 'main', '--json')))
}

/** What a person can have in a checkout, and how it reads afterwards. */
const DIRT: [string, (repo: AgentRepo) => void, RegExp][] = [
  ['a changed file', (repo) => repo.write('README.md', 'mine\n'), /has uncommitted changes in README\.md/],
  [
    'a staged file',
    (repo) => {
      repo.write('new.txt', 'mine\n')
      repo.git('add', 'new.txt')
    },
    /has uncommitted changes in new\.txt/,
  ],
  ['an untracked file in the way', (repo) => repo.write('one.txt', 'mine\n'), /has files in the way: one\.txt/],
  [
    'an ignored file in the way',
    (repo) => {
      writeFileSync(join(repo.dir, '.git/info/exclude'), 'one.txt\n')
      repo.write('one.txt', 'mine\n')
    },
    /has files in the way: one\.txt/,
  ],
  [
    'an unfinished merge',
    (repo) => {
      repo.git('checkout', '-q', '-b', 'side')
      repo.commit('side', { 'side.txt': '1' })
      repo.git('checkout', '-q', 'main')
      repo.git('merge', '-q', '--no-commit', '--no-ff', 'side')
    },
    /is in the middle of a merge/,
  ],
  [
    'an unfinished rebase',
    (repo) => {
      repo.run(['git', 'rebase', '-q', '--root', '--exec', 'false'])
    },
    /is in the middle of a rebase/,
  ],
]

for (const [what, dirty, why] of DIRT) {
  test(`${what} in the checkout of the base delays the last step, and nothing of it is touched`, () => {
    const repo = done(['one'])
    dirty(repo)
    const before = looks(repo)
    const result = repo.gza('merge', '1', '--branch', 'main')
    expect(result.code).toBe(1)
    expect(result.stdout).toMatch(/^#1 verified, waiting to land on main: /)
    expect(result.stdout).toMatch(why)
    expect(looks(repo)).toEqual(before)
    expect(queue(repo)).toMatchObject([{ number: 1, code: 'CHECKOUT_DIRTY', base: 'main' }])
    expect(queue(repo)[0]?.detail).toMatch(why)
    expect(outputOf(repo.gza('show', '1', '--branch', 'main', '--json'))).toContain('"landings":[]')
    expect(repo.worktrees()).toEqual([])
  })
}

function looks(repo: AgentRepo) {
  const files = ['README.md', 'one.txt', 'new.txt'].map((name) => {
    const path = join(repo.dir, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  })
  return { files, status: repo.git('status', '--porcelain'), main: repo.git('rev-parse', 'main', 'HEAD') }
}

test('once the checkout is clean the landing is completed, without being verified again', () => {
  const repo = done(['one'])
  const log = repo.beside('verified')
  repo.commit('verify', { 'gza.yaml': `verify: {command: "echo x >>${log}"}\n` })
  repo.write('README.md', 'mine\n')
  expect(repo.gza('merge', '1').code).toBe(1)
  expect(repo.gza('merge', '1').code).toBe(1)
  repo.git('checkout', 'README.md')
  expect(outputOf(repo.gza('merge', '1'))).toBe('✓ Task #1 landed on main (2 commits)\n')
  expect(readFileSync(log, 'utf8')).toBe('x\n')
  expect(queue(repo)).toEqual([])
  expect(repo.git('for-each-ref', 'refs/gza/')).toBe('')
})

test('a landing that waited is built anew when the base has moved, or its task has changed', () => {
  const repo = done(['one'])
  repo.write('README.md', 'mine\n')
  expect(repo.gza('merge', '1').code).toBe(1)
  repo.commit('mine')
  outputOf(repo.gza('merge', '1'))
  expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('mine\n')
  expect(repo.git('log', '--format=%s', '--first-parent', '-2').split('\n')[1]).toBe('mine')

  const other = done(['one'])
  other.write('README.md', 'mine\n')
  expect(other.gza('merge', '1').code).toBe(1)
  outputOf(other.gza('edit', '1', '--reopen'))
  other.git('checkout', 'README.md')
  expect(other.gza('merge', '1').stdout).toContain('(NOT_COMPLETED)')
  expect(other.git('log', '--format=%s')).toBe('first')
  expect(other.git('for-each-ref', 'refs/gza/')).toBe('')
})

test('a base that is checked out in a linked worktree moves there', () => {
  const repo = done(['one'])
  repo.git('checkout', '-q', '-b', 'personal')
  const path = repo.beside('linked')
  repo.git('worktree', 'add', '-q', path, 'main')
  outputOf(repo.gza('merge', '1', '--branch', 'main'))
  expect(existsSync(join(path, 'one.txt'))).toBe(true)
  expect(existsSync(join(repo.dir, 'one.txt'))).toBe(false)
  expect(repo.git('-C', path, 'status', '--porcelain')).toBe('')
})

test('two landings at once take turns, and each work lands once', async () => {
  const repo = done(['one', 'two'])
  const results = await Promise.all([repo.start(['gza', 'merge', '--all']), repo.start(['gza', 'merge', '--all'])])
  expect(results.map(({ code }) => code)).toEqual([0, 0])
  for (const ref of ['1', '2']) expect(repo.task(ref).landings.length).toBe(1)
  expect(repo.git('log', '--format=%s', '--first-parent', 'main').split('\n').length).toBe(3)
})

test('a base that is checked out twice waits, and says what leaves it one checkout', () => {
  const repo = done(['one'])
  const other = repo.beside('other')
  repo.git('worktree', 'add', '--quiet', '--force', other, 'main')
  const { code, stdout } = repo.gza('merge', '1')
  const [, way = ''] =
    /is not the only checkout of the base, \S+ is another; (git -C \S+ switch --detach) leaves one$/m.exec(stdout) ?? []
  expect([code, repo.run(['sh', '-c', way]).code]).toEqual([1, 0])
  expect(outputOf(repo.gza('merge', '1'))).toContain('Task #1 landed on main')
})
