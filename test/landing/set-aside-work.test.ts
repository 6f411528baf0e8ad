/** Work of agents that did not finish their task, on branches whose tasks a person has skipped or closed by hand. */
import { expect, test } from 'bun:test'
import type { QueueItem } from '../../src/landing/read-queue.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../support/scripted-agent.ts'
import { subjects } from './finished-tasks.ts'

const HALF = 'commit half.txt 1; exit 1'

/** Task 1 has failed and left a commit on its branch. Task 2 is done. */
function oneFailed(config: AgentRepoOptions['config'] = {}): AgentRepo {
  const repo = anAgentRepo({ one: HALF }, { defaults: { max_attempts: 1 }, config })
  repo.add('one')
  repo.add('two')
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ one: 'failed', two: 'completed' })
  return repo
}

function queue(repo: AgentRepo): [number, string][] {
  const items = JSON.parse(outputOf(repo.gza('queue', '--json'))) as QueueItem[]
  return items.map(({ number, code }) => [number, code])
}

function files(repo: AgentRepo, commit = 'main'): string[] {
  return repo
    .git('ls-tree', '--name-only', commit)
    .split('\n')
    .filter((name) => name.endsWith('.txt'))
}

test('work of failed agents does not land with --all once its task is closed by hand, and lands by name after a question', () => {
  const acts = { one: HALF, two: 'commit b.txt 1; exit 1', three: 'commit c.txt 1; exit 1' }
  const repo = anAgentRepo(acts, { defaults: { max_attempts: 1 } })
  for (const title of ['one', 'two', 'three', 'four']) repo.add(title)
  repo.gza('work', '--all')
  outputOf(repo.gza('resolve', '1', '--skip'))
  outputOf(repo.gza('resolve', '2', '--fixed'))
  outputOf(repo.gza('done', '3'))
  expect(new Map(queue(repo))).toEqual(
    new Map([
      [4, 'READY'],
      [1, 'SKIPPED'],
      [2, 'CLOSED_BY_HAND'],
      [3, 'CLOSED_BY_HAND'],
    ]),
  )
  expect(outputOf(repo.gza('merge', '--all'))).toBe('✓ Task #4 landed on main (2 commits)\n')
  expect(repo.gza('merge', '--all').stdout).toBe('Nothing to land.\n')

  const refused = repo.gza('merge', '1', '3')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Task #1 was skipped, and no agent has')])
  expect(refused.stderr).toContain('Nothing has landed: agents did not finish the work on the branch of #1, #3')
  expect(refused.stderr).toContain('gza merge 1 3 --yes')
  expect(files(repo)).toEqual(['four.txt'])

  expect(outputOf(repo.gza('merge', '1', '--yes'))).toBe('✓ Task #1 landed on main (2 commits)\n')
  expect(files(repo)).toEqual(['four.txt', 'half.txt'])
  expect(repo.gza('verify').code).toBe(0)
})

test('unattended, work of failed agents stays on its branch, and the inbox does not ask about it again', () => {
  const repo = oneFailed({ land: 'squash' })
  repo.add('three')
  outputOf(repo.gza('resolve', '1', '--skip'))
  outputOf(repo.gza('work', '--all'))
  expect(subjects(repo, 'main')).toEqual(['three', 'two', 'first'])
  expect(repo.inbox()).toEqual([])
  expect(repo.gza('merge', '1', '--json').stdout).toContain('NOT_AGREED')
})

test('a branch with unfinished work that cannot land says so, and its task stays skipped', () => {
  const repo = anAgentRepo({ one: 'commit README.md mine; exit 1' }, { defaults: { max_attempts: 1 } })
  repo.add('one')
  repo.gza('work')
  repo.commit('theirs', { 'README.md': 'theirs\n' })
  outputOf(repo.gza('resolve', '1', '--skip'))
  const result = repo.gza('merge', '1', '--yes')
  expect([result.code, result.stdout]).toEqual([1, expect.stringContaining('cannot land, see gza inbox: conflicts in')])
  expect(repo.task('1')).toMatchObject({ status: 'skipped', landings: [{ outcome: 'conflict' }] })
})

test("--fixed links the person's commit and not that of the agent; --commit names another one", () => {
  const repo = oneFailed()
  const fix = repo.commit('the fix', { 'fix.txt': 'x\n' })
  const later = repo.commit('something different', { 'other.txt': 'x\n' })
  expect(repo.gza('resolve', '1', '--skip', '--commit', fix).code).toBe(2)
  expect(repo.gza('resolve', '1', '--fixed', '--commit', 'nowhere').stderr).toContain('There is no commit nowhere')
  outputOf(repo.gza('resolve', '1', '--fixed', '--commit', 'HEAD~1'))
  expect(repo.task('1')).toMatchObject({ status: 'completed', closed_commit: fix, commits: [fix] })
  expect(repo.git('notes', '--ref=tasks', 'show', fix)).toBe(`${repo.task('1').id}: one`)
  outputOf(repo.gza('merge', '1', '--yes'))
  expect(repo.task('1').closed_commit).toBe(fix)

  const other = oneFailed()
  other.git('checkout', '-q', String(other.task('1').branch))
  outputOf(other.gza('resolve', '1', '--fixed', '--branch', 'main'))
  expect(other.task('1').commits).toEqual([])
  expect(later).not.toBe(fix)
})

test('pull requests and milestones show a skipped task as skipped', () => {
  const repo = anAgentRepo({ one: HALF }, { defaults: { max_attempts: 1 } })
  repo.add('one', '--milestone', 'M1')
  repo.add('two', '--milestone', 'M1', '--after', '1')
  repo.gza('work')
  outputOf(repo.gza('resolve', '1', '--skip'))
  outputOf(repo.gza('work'))
  const [one, two] = [repo.task('1').id, repo.task('2').id]
  const pr = outputOf(repo.gza('pr'))
  expect(pr).toContain(`- [ ] ${one}: one (skipped)\n- [x] ${two}: two (`)
  expect(pr).toContain(`${one} → ${two}\n`)
  expect(JSON.parse(outputOf(repo.gza('milestones', '--json')))).toMatchObject([{ id: 'M1', completed: 2, skipped: 1 }])
  expect(outputOf(repo.gza('milestones'))).toContain('2/2  1 skipped')
})

test('a task that depends on one that was set aside starts from what that one was built on, and from its fix', () => {
  const repo = anAgentRepo({ two: HALF, three: 'commit three.txt 1' }, { defaults: { max_attempts: 1 } })
  repo.add('one')
  repo.add('two', '--based-on', '1')
  repo.add('three', '--based-on', '2', '--same-branch')
  repo.gza('work', '--all')
  repo.git('checkout', '-q', '-b', 'by-hand')
  const fix = repo.commit('the fix', { 'fix.txt': 'x\n' })
  repo.git('checkout', '-q', 'main')
  outputOf(repo.gza('resolve', '2', '--fixed', '--commit', fix))
  outputOf(repo.gza('work', '--all'))
  expect(files(repo, String(repo.task('3').branch))).toEqual(['fix.txt', 'one.txt', 'three.txt'])
  outputOf(repo.gza('merge', '--all'))
  expect(files(repo)).toEqual(['fix.txt', 'one.txt', 'three.txt'])
  expect(queue(repo)).toEqual([[2, 'CLOSED_BY_HAND']])
})

test('a task on a shared branch lands without the unfinished work of the next one', () => {
  const repo = anAgentRepo({ two: HALF }, { defaults: { max_attempts: 1 } })
  repo.add('one')
  repo.add('two', '--based-on', '1', '--same-branch')
  repo.gza('work', '--all')
  expect(queue(repo)).toEqual([[2, 'NOT_COMPLETED']])
  outputOf(repo.gza('resolve', '2', '--skip'))
  expect(queue(repo)).toEqual([
    [1, 'READY'],
    [2, 'SKIPPED'],
  ])
  expect(outputOf(repo.gza('merge', '--all', '--squash'))).toBe('✓ Task #1 landed on main (1 commit)\n')
  expect(files(repo)).toEqual(['one.txt'])
  expect(repo.task('2').landings).toEqual([])
  outputOf(repo.gza('merge', '2', '--squash', '--yes'))
  expect(files(repo)).toEqual(['half.txt', 'one.txt'])
  expect(subjects(repo, 'main')).toEqual(['two', 'one', 'first'])
})

test('a landing that waits for a checkout does not land once a person has set its task aside', () => {
  const repo = oneFailed()
  outputOf(repo.gza('resolve', '1', '--skip'))
  repo.write('README.md', 'mine\n')
  expect(repo.gza('merge', '2').code).toBe(1)
  outputOf(repo.gza('edit', '2', '--reopen'))
  outputOf(repo.gza('resolve', '2', '--skip'))
  repo.git('checkout', '-q', 'README.md')
  expect(repo.gza('merge', '--all').stdout).toBe('Nothing to land.\n')
  repo.write('README.md', 'mine\n')
  expect(repo.gza('merge', '1', '--yes').code).toBe(1)
  repo.git('checkout', '-q', 'README.md')
  expect(outputOf(repo.gza('merge', '--all'))).toContain('Task #1 landed')
  expect(files(repo)).toEqual(['half.txt'])
})
