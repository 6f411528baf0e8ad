import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { QueueItem } from '../../src/landing/read-queue.ts'
import { outputOf } from '../support/ledger-answers.ts'
import type { Stage } from '../support/scripted-agent.ts'
import { done } from './finished-tasks.ts'

function queue(stage: Stage): QueueItem[] {
  return JSON.parse(outputOf(stage.gza('queue', '--branch', 'main', '--json')))
}

/** What a person can have in a checkout, and how it reads afterwards. */
const DIRT: [string, (stage: Stage) => void, RegExp][] = [
  ['a changed file', (stage) => stage.write('README.md', 'mine\n'), /has uncommitted changes in README\.md/],
  [
    'a staged file',
    (stage) => {
      stage.write('new.txt', 'mine\n')
      stage.git('add', 'new.txt')
    },
    /has uncommitted changes in new\.txt/,
  ],
  ['an untracked file in the way', (stage) => stage.write('one.txt', 'mine\n'), /has files in the way: one\.txt/],
  [
    'an ignored file in the way',
    (stage) => {
      writeFileSync(join(stage.dir, '.git/info/exclude'), 'one.txt\n')
      stage.write('one.txt', 'mine\n')
    },
    /has files in the way: one\.txt/,
  ],
  [
    'an unfinished merge',
    (stage) => {
      stage.git('checkout', '-q', '-b', 'side')
      stage.commit('side', { 'side.txt': '1' })
      stage.git('checkout', '-q', 'main')
      stage.git('merge', '-q', '--no-commit', '--no-ff', 'side')
    },
    /is in the middle of a merge/,
  ],
  [
    'an unfinished rebase',
    (stage) => {
      stage.run(['git', 'rebase', '-q', '--root', '--exec', 'false'])
    },
    /is in the middle of a rebase/,
  ],
]

for (const [what, dirty, why] of DIRT) {
  test(`${what} in the checkout of the base delays the last step, and nothing of it is touched`, () => {
    const stage = done(['one'])
    dirty(stage)
    const before = looks(stage)
    const result = stage.gza('merge', '1', '--branch', 'main')
    expect(result.code).toBe(1)
    expect(result.stdout).toMatch(/^#1 verified, waiting to land on main: /)
    expect(result.stdout).toMatch(why)
    expect(looks(stage)).toEqual(before)
    expect(queue(stage)).toMatchObject([{ number: 1, code: 'CHECKOUT_DIRTY', base: 'main' }])
    expect(queue(stage)[0]?.detail).toMatch(why)
    expect(outputOf(stage.gza('show', '1', '--branch', 'main', '--json'))).toContain('"landings":[]')
    expect(stage.worktrees()).toEqual([])
  })
}

function looks(stage: Stage) {
  const files = ['README.md', 'one.txt', 'new.txt'].map((name) => {
    const path = join(stage.dir, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  })
  return { files, status: stage.git('status', '--porcelain'), main: stage.git('rev-parse', 'main', 'HEAD') }
}

test('once the checkout is clean the landing is completed, without being verified again', () => {
  const stage = done(['one'])
  const log = stage.beside('verified')
  stage.commit('verify', { 'gza.yaml': `verify: {command: "echo x >>${log}"}\n` })
  stage.write('README.md', 'mine\n')
  expect(stage.gza('merge', '1').code).toBe(1)
  expect(stage.gza('merge', '1').code).toBe(1)
  stage.git('checkout', 'README.md')
  expect(outputOf(stage.gza('merge', '1'))).toBe('✓ Task #1 landed on main (2 commits)\n')
  expect(readFileSync(log, 'utf8')).toBe('x\n')
  expect(queue(stage)).toEqual([])
  expect(stage.git('for-each-ref', 'refs/gza/')).toBe('')
})

test('a landing that waited is built anew when the base has moved, or its task has changed', () => {
  const stage = done(['one'])
  stage.write('README.md', 'mine\n')
  expect(stage.gza('merge', '1').code).toBe(1)
  stage.commit('mine')
  outputOf(stage.gza('merge', '1'))
  expect(readFileSync(join(stage.dir, 'README.md'), 'utf8')).toBe('mine\n')
  expect(stage.git('log', '--format=%s', '--first-parent', '-2').split('\n')[1]).toBe('mine')

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
  const stage = done(['one'])
  stage.git('checkout', '-q', '-b', 'desk')
  const path = stage.beside('linked')
  stage.git('worktree', 'add', '-q', path, 'main')
  outputOf(stage.gza('merge', '1', '--branch', 'main'))
  expect(existsSync(join(path, 'one.txt'))).toBe(true)
  expect(existsSync(join(stage.dir, 'one.txt'))).toBe(false)
  expect(stage.git('-C', path, 'status', '--porcelain')).toBe('')
})

test('two landings at once take turns, and each work lands once', async () => {
  const stage = done(['one', 'two'])
  const results = await Promise.all([stage.start(['gza', 'merge', '--all']), stage.start(['gza', 'merge', '--all'])])
  expect(results.map(({ code }) => code)).toEqual([0, 0])
  for (const ref of ['1', '2']) expect(stage.task(ref).landings.length).toBe(1)
  expect(stage.git('log', '--format=%s', '--first-parent', 'main').split('\n').length).toBe(3)
})

test('a base that is checked out twice waits, and says what leaves it one checkout', () => {
  const stage = done(['one'])
  const other = stage.beside('other')
  stage.git('worktree', 'add', '--quiet', '--force', other, 'main')
  const { code, stdout } = stage.gza('merge', '1')
  const [, way = ''] =
    /is not its only checkout, \S+ is too; (git -C \S+ switch --detach) leaves it one$/m.exec(stdout) ?? []
  expect([code, stage.run(['sh', '-c', way]).code]).toEqual([1, 0])
  expect(outputOf(stage.gza('merge', '1'))).toContain('Task #1 landed on main')
})
