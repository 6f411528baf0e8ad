/** What a person does with branches and bases himself, beside gza. */
import { expect, test } from 'bun:test'
import type { QueueItem } from '../../src/landing/read-queue.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { aStage, type Stage } from '../support/scripted-agent.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

function branchOf(stage: Stage, ref: string): string {
  return String(stage.task(ref).branch)
}

const verdict = 'echo "**Verdict: CHANGES_REQUESTED**"'
const UNLOVED = { one: `case $prompt in "You are reviewing"*) ${verdict} ;; *) commit one.txt 1 ;; esac` }

test('a branch that is gone is named with the command that brings it back, and then it lands', () => {
  const stage = done(['one'])
  const branch = branchOf(stage, '1')
  const head = stage.git('rev-parse', branch).slice(0, 12)
  stage.git('branch', '-q', '-D', branch)
  const command = `git branch ${branch} ${head}`
  expect(stage.gza('merge', '1')).toEqual({
    code: 1,
    stdout: `Task #1 has no branch ${branch} any more; its work was ${head}: ${command} (NO_BRANCH)\n`,
    stderr: '',
  })
  stage.git('branch', branch, head)
  expect(outputOf(stage.gza('merge', '1'))).toContain('Task #1 landed')
})

test('work that a person has merged is in the base, also where he has deleted its branch', () => {
  const stage = done(['one'])
  stage.git('merge', '-q', '--no-ff', '-m', 'by hand', branchOf(stage, '1'))
  stage.git('branch', '-q', '-d', branchOf(stage, '1'))
  expect(outputOf(stage.gza('merge', '1'))).toBe('Task #1 is in main already (NOTHING_TO_LAND)\n')
})

for (const method of ['cherry-pick', 'merge', 'squash']) {
  test(`what a person takes off the base again lands anew when he names it, and not by itself (${method})`, () => {
    const stage = done(['one', 'two'])
    outputOf(stage.gza('merge', '1', `--${method}`))
    stage.git('reset', '-q', '--hard', 'HEAD~1')
    expect(outputOf(stage.gza('merge', '--all', `--${method}`))).toBe(
      '✓ Task #2 landed on main '.concat(counts(method)),
    )
    expect(outputOf(stage.gza('merge', '1', `--${method}`))).toBe('✓ Task #1 landed on main '.concat(counts(method)))
    expect(stage.git('show', 'main:one.txt')).toContain('one')
    expect(stage.gza('merge', '1').stdout).toBe('Task #1 has landed on main (LANDED)\n')
  })
}

function counts(method: string): string {
  return method === 'merge' ? '(2 commits)\n' : '(1 commit)\n'
}

test('what was built on work that the base has lost brings it along', () => {
  const stage = aStage({ one: 'commit a.txt 1', two: 'commit b.txt 2' })
  stage.add('one')
  stage.add('two', '--based-on', '1')
  outputOf(stage.gza('work', '--all'))
  stage.commit('meanwhile', { 'other.txt': 'x' })
  outputOf(stage.gza('merge', '1', '--cherry-pick'))
  stage.git('reset', '-q', '--hard', 'HEAD~1')
  outputOf(stage.gza('merge', '2', '--cherry-pick'))
  expect(subjects(stage)).toEqual(['two: b.txt', 'one: a.txt', 'meanwhile', 'first'])
})

test("a person's approval is of the commit that he saw: what comes later waits for another", () => {
  const stage = aStage(UNLOVED, { config: { land: 'cherry-pick' } })
  stage.add('one', '--auto-review', '--max-cycles', '1')
  outputOf(stage.gza('work'))
  outputOf(stage.gza('edit', '1', '--verdict', 'APPROVED'))
  commitOn(stage, branchOf(stage, '1'), 'later.txt')
  stage.gza('work')
  expect(subjects(stage, 'main')).toEqual(['first'])
  expect(stage.inbox()).toMatchObject([{ code: 'NOT_APPROVED', task: { number: 1 } }])
  outputOf(stage.gza('edit', '1', '--verdict', 'APPROVED'))
  stage.gza('work')
  expect(stage.git('show', 'main:later.txt')).toBe('x')
  expect(stage.gza('verify').code).toBe(0)
})

test('a checkout that was cleaned since keeps nothing waiting', () => {
  const stage = done(['one'])
  const code = () => (JSON.parse(outputOf(stage.gza('queue', '--json'))) as QueueItem[]).map((item) => item.code)
  stage.write('README.md', 'mine\n')
  expect(stage.gza('merge', '1').code).toBe(1)
  expect(code()).toEqual(['CHECKOUT_DIRTY'])
  stage.git('checkout', '-q', 'README.md')
  expect(code()).toEqual(['READY'])
  expect(stage.inbox()).toEqual([])
})

test('what waits for a checkout does not land once a person has judged it otherwise', () => {
  const act = 'case $prompt in "You are reviewing"*) echo "**Verdict: APPROVED**" ;; *) commit one.txt 1 ;; esac'
  const stage = aStage({ one: act }, { config: { land: 'squash' } })
  stage.add('one', '--auto-review')
  stage.write('README.md', 'mine\n')
  expect(stage.gza('work').stdout).toContain('#1 verified, waiting to land')
  outputOf(stage.gza('edit', '1', '--verdict', 'CHANGES_REQUESTED'))
  stage.git('checkout', '-q', 'README.md')
  stage.gza('work', '--all')
  expect(subjects(stage, 'main')).toEqual(['first'])
  expect(stage.inbox()).toMatchObject([{ code: 'NOT_APPROVED', task: { number: 1 } }])
  outputOf(stage.gza('merge', '1'))
  expect(subjects(stage, 'main')).toEqual(['one', 'first'])
})

test('a group that does not exist is an error', () => {
  const stage = done(['one'])
  stage.add('two', '--group', 'v2')
  expect(stage.gza('merge', '--group', 'v3')).toEqual({
    code: 1,
    stdout: '',
    stderr: "Error: No group 'v3'\n  Groups: v2\n",
  })
})

test('what a person has landed needs no word about its review any more', () => {
  const stage = aStage(UNLOVED)
  stage.add('one', '--auto-review', '--max-cycles', '1')
  outputOf(stage.gza('work'))
  expect(stage.inbox()).toMatchObject([{ code: 'MAX_CYCLES_REACHED' }])
  outputOf(stage.gza('merge', '1'))
  expect(stage.inbox()).toEqual([])
})

test('a task whose branch a person has checked out goes to the inbox with what to do, and his checkout stays', () => {
  const stage = done(['one'])
  stage.git('checkout', '-q', branchOf(stage, '1'))
  outputOf(stage.gza('edit', '1', '--reopen'))
  expect(stage.gza('work', '1').code).toBe(1)
  expect(stage.inbox()).toMatchObject([
    {
      code: 'UNWORKABLE',
      detail: `Branch ${branchOf(stage, '1')} is checked out at ${stage.dir}. Switch that checkout to another branch, then run the command again.`,
    },
  ])
  expect(stage.git('status', '--porcelain')).toBe('')
  stage.git('checkout', '-q', 'main')
  expect(stage.gza('retry', '1').code).toBe(0)
})

test('Ctrl-C while a landing is verified lands nothing and says where it stays', () => {
  const stage = done(['one'])
  configure(stage, { verify: { command: `kill -TERM $PPID; tail -f ${stage.beside('agent')}` } })
  const { code, stderr } = stage.gza('merge', '1')
  expect([code, stderr]).toEqual([1, 'Stopping. What has not landed yet stays where it is; gza queue shows it.\n'])
  expect(subjects(stage, 'main')).toEqual(['configure', 'first'])
  expect([stage.worktrees(), stage.survivors()]).toEqual([[], []])
})

test('a task that a person has opened again is not completed by the work that he refused', () => {
  const act = '[ -e "$stage/done" ] || commit one.txt 1; touch "$stage/done"'
  const stage = done(['one'], { one: act }, { defaults: { max_attempts: 1 } })
  outputOf(stage.gza('edit', '1', '--reopen'))
  expect(stage.gza('work').code).toBe(1)
  expect(stage.inbox()).toMatchObject([{ code: 'NO_CHANGES', detail: 'the agent made no change' }])
})
