import { expect, test } from 'bun:test'
import type { QueueItem } from '../../src/landing/read-queue.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

function codes(repo: AgentRepo): [number, string][] {
  const items: QueueItem[] = JSON.parse(outputOf(repo.gza('queue', '--json')))
  return items.map(({ number, code }) => [number, code])
}

test('gza queue lists what has not landed, in its order, and why', () => {
  const repo = done(['one', 'two'], { two: 'commit .github/workflows/ci.yml x' })
  repo.add('urgent', '--priority', 'critical')
  outputOf(repo.gza('work'))
  expect(codes(repo)).toEqual([
    [3, 'READY'],
    [1, 'READY'],
    [2, 'GUARDED_FILES'],
  ])
  expect(repo.gza('queue').stdout).toBe(
    [
      'READY  #3 urgent\n  waits for gza merge',
      'READY  #1 one\n  waits for gza merge',
      'GUARDED_FILES  #2 two\n  changes .github/workflows/ci.yml, which only a person may land\n',
    ].join('\n'),
  )
  outputOf(repo.gza('merge', '3', '1'))
  expect(codes(repo)).toEqual([[2, 'GUARDED_FILES']])
  repo.git('branch', 'other')
  expect(repo.gza('queue', '--branch', 'other')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No task of other is waiting to land.\n',
  })
})

test('what decides what runs lands when a person names it, and not with --all', () => {
  const repo = done(['one', 'two'], { two: 'commit gza.yaml "land: merge"' })
  const all = repo.gza('merge', '--all')
  expect([all.code, all.stdout]).toEqual([
    1,
    '✓ Task #1 landed on main (2 commits)\nTask #2 changes gza.yaml, which only a person may land (GUARDED_FILES)\n',
  ])
  expect(outputOf(repo.gza('merge', '2'))).toContain('Task #2 landed')
})

test('work that is built on other work lands after it, and its commits land once', () => {
  const repo = anAgentRepo({ one: 'commit a.txt 1', two: 'commit a.txt 2', three: 'commit a.txt 3' })
  repo.add('one')
  repo.add('two', '--based-on', '1')
  repo.add('three', '--based-on', '2')
  outputOf(repo.gza('work', '--all'))
  const refused = repo.gza('merge', '2')
  expect(refused.stdout).toContain(
    `Task #2 builds on ${repo.task('1').branch} (DEPENDENCY_NOT_LANDED)\n  gza merge 1 2\n`,
  )
  outputOf(repo.gza('merge', '1', '--cherry-pick'))
  repo.commit('meanwhile', { 'other.txt': 'x' })
  outputOf(repo.gza('merge', '2', '3', '--cherry-pick'))
  expect(subjects(repo)).toEqual(['three: a.txt', 'two: a.txt', 'meanwhile', 'one: a.txt', 'first'])
  expect(repo.git('show', 'main:a.txt')).toBe('3')
})

test('a task that starts after its predecessor has landed starts from the base alone', () => {
  const repo = anAgentRepo({ one: 'commit a.txt 1', two: 'commit b.txt 2' })
  repo.add('one')
  repo.add('two', '--based-on', '1')
  outputOf(repo.gza('work', '1'))
  outputOf(repo.gza('merge', '1', '--squash'))
  outputOf(repo.gza('work', '2'))
  expect(subjects(repo, `main..${repo.task('2').branch}`)).toEqual(['two: b.txt'])
})

test('a person is warned of a missing approval; the queue waits for it', () => {
  const repo = anAgentRepo({
    one: 'commit a.txt 1',
    else: 'echo "**Verdict: CHANGES_REQUESTED**" >"$(grep -o "\\.gza/reviews/[^ ]*\\.md" <<<"$prompt" | head -1)"',
  })
  repo.add('one', '--review')
  outputOf(repo.gza('work', '1'))
  configure(repo, { land: 'merge' })
  expect(codes(repo)).toEqual([[1, 'NOT_APPROVED']])
  const merged = repo.gza('merge', '1')
  expect(merged.stderr).toContain('Task #1 has no approval of its last commit (NOT_APPROVED)')
  expect(merged.stdout).toBe('✓ Task #1 landed on main (2 commits)\n')
})

test('more work on a branch that has landed lands by itself', () => {
  const repo = done(['one'], { one: 'commit a.txt 1' })
  outputOf(repo.gza('merge', '1', '--squash'))
  expect(codes(repo)).toEqual([])
  commitOn(repo, repo.task('1').branch, 'a.txt', '2\n')
  expect(codes(repo)).toEqual([[1, 'READY']])
  outputOf(repo.gza('merge', '1', '--cherry-pick'))
  expect(subjects(repo)).toEqual(['Change a.txt', 'one', 'first'])
})

test('work that somebody has brought into the base by hand has nothing to land', () => {
  const repo = done(['one', 'two'])
  repo.git('merge', '-q', '--no-edit', repo.task('1').branch as string)
  expect(codes(repo)).toEqual([[2, 'READY']])
  expect(repo.gza('merge', '1').stdout).toBe('Task #1 is already in main (NOTHING_TO_LAND)\n')
  repo.git('cherry-pick', repo.task('2').branch as string)
  expect(outputOf(repo.gza('merge', '2', '--cherry-pick'))).toBe('✓ Task #2 landed on main (nothing was left to do)\n')
})

test('branches go where the configuration says so, once their work has landed', () => {
  const repo = done(['one', 'two'])
  configure(repo, { delete_branches: true })
  const [one, two] = [repo.task('1').branch as string, repo.task('2').branch as string]
  repo.git('worktree', 'add', '-q', repo.beside('mine'), two)
  outputOf(repo.gza('merge', '--all', '--squash'))
  const branches = repo.git('branch', '--format=%(refname:short)').split('\n')
  expect([branches.includes(one), branches.includes(two)]).toEqual([false, true])
  expect(codes(repo)).toEqual([])
  expect(repo.gza('merge', '1').stdout).toBe('Task #1 has landed on main (LANDED)\n')
})
