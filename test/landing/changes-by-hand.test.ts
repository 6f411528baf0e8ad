/** What a person does with branches and bases himself, beside gza. */
import { expect, test } from 'bun:test'
import type { QueueItem } from '../../src/landing/read-queue.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

function branchOf(repo: AgentRepo, ref: string): string {
  return String(repo.task(ref).branch)
}

const verdict = 'echo "**Verdict: CHANGES_REQUESTED**"'
const UNLOVED = {
  one: `case $prompt in "You are reviewing"*) ${verdict} ;; *) commit one.txt 1 ;; esac`,
  '"Review one"': verdict,
}

test('a branch that is gone is named with the command that brings it back, and then it lands', () => {
  const repo = done(['one'])
  const branch = branchOf(repo, '1')
  const head = repo.git('rev-parse', branch).slice(0, 12)
  repo.git('branch', '-q', '-D', branch)
  const command = `git branch ${branch} ${head}`
  expect(repo.gza('merge', '1')).toEqual({
    code: 1,
    stdout: `Task #1 has no branch ${branch} any more; its work was ${head}: ${command} (NO_BRANCH)\n`,
    stderr: '',
  })
  repo.git('branch', branch, head)
  expect(outputOf(repo.gza('merge', '1'))).toContain('Task #1 landed')
})

test('work that a person has merged is in the base, also where he has deleted its branch', () => {
  const repo = done(['one'])
  repo.git('merge', '-q', '--no-ff', '-m', 'by hand', branchOf(repo, '1'))
  repo.git('branch', '-q', '-d', branchOf(repo, '1'))
  expect(outputOf(repo.gza('merge', '1'))).toBe('Task #1 is already in main (NOTHING_TO_LAND)\n')
})

for (const method of ['cherry-pick', 'merge', 'squash']) {
  test(`what a person takes off the base again lands anew when he names it, and not by itself (${method})`, () => {
    const repo = done(['one', 'two'])
    outputOf(repo.gza('merge', '1', `--${method}`))
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    expect(outputOf(repo.gza('merge', '--all', `--${method}`))).toBe('✓ Task #2 landed on main '.concat(counts(method)))
    expect(outputOf(repo.gza('merge', '1', `--${method}`))).toBe('✓ Task #1 landed on main '.concat(counts(method)))
    expect(repo.git('show', 'main:one.txt')).toContain('one')
    expect(repo.gza('merge', '1').stdout).toBe('Task #1 has landed on main (LANDED)\n')
  })
}

function counts(method: string): string {
  return method === 'merge' ? '(2 commits)\n' : '(1 commit)\n'
}

test('what was built on work that the base has lost brings it along', () => {
  const repo = anAgentRepo({ one: 'commit a.txt 1', two: 'commit b.txt 2' })
  repo.add('one')
  repo.add('two', '--based-on', '1')
  outputOf(repo.gza('work', '--all'))
  repo.commit('meanwhile', { 'other.txt': 'x' })
  outputOf(repo.gza('merge', '1', '--cherry-pick'))
  repo.git('reset', '-q', '--hard', 'HEAD~1')
  outputOf(repo.gza('merge', '2', '--cherry-pick'))
  expect(subjects(repo)).toEqual(['two: b.txt', 'one: a.txt', 'meanwhile', 'first'])
})

test("a person's approval is of the commit that he saw: what comes later waits for another", () => {
  const repo = anAgentRepo(UNLOVED, { config: { land: 'cherry-pick' } })
  repo.add('one', '--auto-review', '--max-cycles', '1')
  outputOf(repo.gza('work'))
  outputOf(repo.gza('edit', '1', '--verdict', 'APPROVED'))
  commitOn(repo, branchOf(repo, '1'), 'later.txt')
  repo.gza('work')
  expect(subjects(repo, 'main')).toEqual(['first'])
  expect(repo.inbox()).toMatchObject([{ code: 'NOT_APPROVED', task: { number: 1 } }])
  outputOf(repo.gza('review', '1'))
  outputOf(repo.gza('edit', '1', '--verdict', 'APPROVED'))
  repo.gza('work')
  expect(repo.git('show', 'main:later.txt')).toBe('x')
  expect(repo.gza('verify').code).toBe(0)
})

test('a checkout that was cleaned since keeps nothing waiting', () => {
  const repo = done(['one'])
  const code = () => (JSON.parse(outputOf(repo.gza('queue', '--json'))) as QueueItem[]).map((item) => item.code)
  repo.write('README.md', 'mine\n')
  expect(repo.gza('merge', '1').code).toBe(1)
  expect(code()).toEqual(['CHECKOUT_DIRTY'])
  repo.git('checkout', '-q', 'README.md')
  expect(code()).toEqual(['READY'])
  expect(repo.inbox()).toEqual([])
})

test('what waits for a checkout does not land once a person has judged it otherwise', () => {
  const act = 'case $prompt in "You are reviewing"*) echo "**Verdict: APPROVED**" ;; *) commit one.txt 1 ;; esac'
  const repo = anAgentRepo({ one: act }, { config: { land: 'squash' } })
  repo.add('one', '--auto-review')
  repo.write('README.md', 'mine\n')
  expect(repo.gza('work').stdout).toContain('#1 verified, waiting to land')
  outputOf(repo.gza('edit', '1', '--verdict', 'CHANGES_REQUESTED'))
  repo.git('checkout', '-q', 'README.md')
  repo.gza('work', '--all')
  expect(subjects(repo, 'main')).toEqual(['first'])
  expect(repo.inbox()).toMatchObject([{ code: 'NOT_APPROVED', task: { number: 1 } }])
  outputOf(repo.gza('merge', '1'))
  expect(subjects(repo, 'main')).toEqual(['one', 'first'])
})

test('a group that does not exist is an error', () => {
  const repo = done(['one'])
  repo.add('two', '--group', 'v2')
  expect(repo.gza('merge', '--group', 'v3')).toEqual({
    code: 1,
    stdout: '',
    stderr: "Error: No group 'v3'\n  Groups: v2\n",
  })
})

test('what a person has landed needs no word about its review any more', () => {
  const repo = anAgentRepo(UNLOVED)
  repo.add('one', '--auto-review', '--max-cycles', '1')
  outputOf(repo.gza('work'))
  expect(repo.inbox()).toMatchObject([{ code: 'MAX_CYCLES_REACHED' }])
  outputOf(repo.gza('merge', '1'))
  expect(repo.inbox()).toEqual([])
})

test('a task whose branch a person has checked out goes to the inbox with what to do, and his checkout stays', () => {
  const repo = done(['one'])
  repo.git('checkout', '-q', branchOf(repo, '1'))
  outputOf(repo.gza('edit', '1', '--reopen'))
  expect(repo.gza('work', '1').code).toBe(1)
  expect(repo.inbox()).toMatchObject([
    {
      code: 'UNWORKABLE',
      detail: `Branch ${branchOf(repo, '1')} is checked out at ${repo.dir}. Switch that checkout to another branch, then run the command again.`,
    },
  ])
  expect(repo.git('status', '--porcelain')).toBe('')
  repo.git('checkout', '-q', 'main')
  expect(repo.gza('retry', '1').code).toBe(0)
})

test('Ctrl-C while a landing is verified lands nothing and says where it stays', () => {
  // In a box the check could not signal gza.
  const repo = done(['one'], {}, { isolation: 'off' })
  configure(repo, { verify: { command: `kill -INT $PPID; tail -f ${repo.beside('agent')}` } })
  const { code, stderr } = repo.gza('merge', '1')
  const stopping = 'Stopping. What has not landed yet stays where it is; gza queue shows it.\n'
  expect([code, stderr]).toEqual([1, `Verifying #1 on main...\n${stopping}`])
  expect(subjects(repo, 'main')).toEqual(['configure', 'first'])
  expect([repo.worktrees(), repo.survivors()]).toEqual([[], []])
})

test('a task that a person has opened again is not completed by the work that he refused', () => {
  const act = '[ -e "$beside/done" ] || commit one.txt 1; touch "$beside/done"'
  const repo = done(['one'], { one: act }, { defaults: { max_attempts: 1 } })
  outputOf(repo.gza('edit', '1', '--reopen'))
  expect(repo.gza('work').code).toBe(1)
  expect(repo.inbox()).toMatchObject([{ code: 'NO_CHANGES', detail: 'the agent made no change' }])
})
