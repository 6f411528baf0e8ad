import { expect, test } from 'bun:test'
import type { QueueItem } from '../../src/landing/read-queue.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { aStage, type Stage } from '../support/scripted-agent.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

function codes(stage: Stage): [number, string][] {
  const items: QueueItem[] = JSON.parse(outputOf(stage.gza('queue', '--json')))
  return items.map(({ number, code }) => [number, code])
}

test('gza queue lists what has not landed, in its order, and why', () => {
  const stage = done(['one', 'two'], { two: 'commit .github/workflows/ci.yml x' })
  stage.add('urgent', '--priority', 'critical')
  outputOf(stage.gza('work'))
  expect(codes(stage)).toEqual([
    [3, 'READY'],
    [1, 'READY'],
    [2, 'GUARDED_FILES'],
  ])
  expect(stage.gza('queue').stdout).toBe(
    [
      'READY  #3 urgent\n  waits for gza merge',
      'READY  #1 one\n  waits for gza merge',
      'GUARDED_FILES  #2 two\n  changes .github/workflows/ci.yml, which only a person may land\n',
    ].join('\n'),
  )
  outputOf(stage.gza('merge', '3', '1'))
  expect(codes(stage)).toEqual([[2, 'GUARDED_FILES']])
  stage.git('branch', 'other')
  expect(stage.gza('queue', '--branch', 'other')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Nothing of other waits to land.\n',
  })
})

test('what decides what runs lands when a person names it, and not with --all', () => {
  const stage = done(['one', 'two'], { two: 'commit gza.yaml "land: merge"' })
  const all = stage.gza('merge', '--all')
  expect([all.code, all.stdout]).toEqual([
    1,
    '✓ Task #1 landed on main (2 commits)\nTask #2 changes gza.yaml, which only a person may land (GUARDED_FILES)\n',
  ])
  expect(outputOf(stage.gza('merge', '2'))).toContain('Task #2 landed')
})

test('work that is built on other work lands after it, and its commits land once', () => {
  const stage = aStage({ one: 'commit a.txt 1', two: 'commit a.txt 2', three: 'commit a.txt 3' })
  stage.add('one')
  stage.add('two', '--based-on', '1')
  stage.add('three', '--based-on', '2')
  outputOf(stage.gza('work', '--all'))
  const refused = stage.gza('merge', '2')
  expect(refused.stdout).toContain(
    `Task #2 builds on ${stage.task('1').branch} (DEPENDENCY_NOT_LANDED)\n  gza merge 1 2\n`,
  )
  outputOf(stage.gza('merge', '1', '--cherry-pick'))
  stage.commit('meanwhile', { 'other.txt': 'x' })
  outputOf(stage.gza('merge', '2', '3', '--cherry-pick'))
  expect(subjects(stage)).toEqual(['three: a.txt', 'two: a.txt', 'meanwhile', 'one: a.txt', 'first'])
  expect(stage.git('show', 'main:a.txt')).toBe('3')
})

test('a task that starts after its predecessor has landed starts from the base alone', () => {
  const stage = aStage({ one: 'commit a.txt 1', two: 'commit b.txt 2' })
  stage.add('one')
  stage.add('two', '--based-on', '1')
  outputOf(stage.gza('work', '1'))
  outputOf(stage.gza('merge', '1', '--squash'))
  outputOf(stage.gza('work', '2'))
  expect(subjects(stage, `main..${stage.task('2').branch}`)).toEqual(['two: b.txt'])
})

test('a person is warned of a missing approval; the queue waits for it', () => {
  const stage = aStage({
    one: 'commit a.txt 1',
    else: 'echo "**Verdict: CHANGES_REQUESTED**" >"$(grep -o "\\.gza/reviews/[^ ]*\\.md" <<<"$prompt" | head -1)"',
  })
  stage.add('one', '--review')
  outputOf(stage.gza('work', '1'))
  configure(stage, { land: 'merge' })
  expect(codes(stage)).toEqual([[1, 'NOT_APPROVED']])
  const merged = stage.gza('merge', '1')
  expect(merged.stderr).toContain('Task #1 has no approval of its last commit (NOT_APPROVED)')
  expect(merged.stdout).toBe('✓ Task #1 landed on main (2 commits)\n')
})

test('more work on a branch that has landed lands by itself', () => {
  const stage = done(['one'], { one: 'commit a.txt 1' })
  outputOf(stage.gza('merge', '1', '--squash'))
  expect(codes(stage)).toEqual([])
  commitOn(stage, stage.task('1').branch, 'a.txt', '2\n')
  expect(codes(stage)).toEqual([[1, 'READY']])
  outputOf(stage.gza('merge', '1', '--cherry-pick'))
  expect(subjects(stage)).toEqual(['Change a.txt', 'one', 'first'])
})

test('work that somebody has brought into the base by hand has nothing to land', () => {
  const stage = done(['one', 'two'])
  stage.git('merge', '-q', '--no-edit', stage.task('1').branch as string)
  expect(codes(stage)).toEqual([[2, 'READY']])
  expect(stage.gza('merge', '1').stdout).toBe('Task #1 is in main already (NOTHING_TO_LAND)\n')
  stage.git('cherry-pick', stage.task('2').branch as string)
  expect(outputOf(stage.gza('merge', '2', '--cherry-pick'))).toBe('✓ Task #2 landed on main (nothing was left to do)\n')
})

test('branches go where the configuration says so, once their work has landed', () => {
  const stage = done(['one', 'two'])
  configure(stage, { delete_branches: true })
  const [one, two] = [stage.task('1').branch as string, stage.task('2').branch as string]
  stage.git('worktree', 'add', '-q', stage.beside('mine'), two)
  outputOf(stage.gza('merge', '--all', '--squash'))
  const branches = stage.git('branch', '--format=%(refname:short)').split('\n')
  expect([branches.includes(one), branches.includes(two)]).toEqual([false, true])
  expect(codes(stage)).toEqual([])
  expect(stage.gza('merge', '1').stdout).toBe('Task #1 has landed on main (LANDED)\n')
})
