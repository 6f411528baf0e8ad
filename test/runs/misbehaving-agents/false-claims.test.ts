import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anAgentRepo } from '../../support/scripted-agent.ts'

const ONCE = { max_attempts: 1 }

test('an agent that reports done and changed nothing has done nothing', () => {
  const repo = anAgentRepo({ liar: 'echo "<promise>DONE</promise> All tests pass."' }, { defaults: ONCE })
  repo.add('liar')
  repo.add('honest')
  expect(repo.gza('work', '--all').code).toBe(1)
  expect(repo.statuses()).toEqual({ liar: 'failed', honest: 'completed' })
  expect(repo.inbox().map(({ task, code }) => [task?.title, code])).toEqual([['liar', 'NO_CHANGES']])
})

test('a failing check is given to the next attempt, and the third one is the last', () => {
  const repo = anAgentRepo(
    { liar: 'commit "try-$(ls | wc -l).txt" x; echo done' },
    { files: { 'check.sh': 'echo "expected 4, got 5"; exit 3\n' }, config: { verify: { command: 'sh check.sh' } } },
  )
  repo.add('liar')
  repo.gza('work', '--no-base-check', '--all')
  expect(repo.statuses()).toEqual({ liar: 'failed' })
  const [first, second, third] = repo.calls().map(({ prompt }) => prompt)
  expect(first).not.toContain('expected 4, got 5')
  for (const prompt of [second, third]) expect(prompt).toContain('expected 4, got 5')
  expect(third).toContain('Attempt 2 failed: verify-failed')
  expect(repo.calls()).toHaveLength(3)
  expect(repo.inbox()).toMatchObject([{ code: 'VERIFY_FAILED', task: { title: 'liar' } }])
  expect(repo.worktrees()).toEqual([])
})

test('tests that the task names are run by the test command, and their file must be in the commit', () => {
  const repo = anAgentRepo(
    { red: 'commit a.test.sh "exit 1"', green: 'commit b.test.sh "exit 0"', none: 'commit c.txt c' },
    { defaults: ONCE, config: { verify: { test_command: 'sh' } } },
  )
  repo.add('red', '--test-files', 'a.test.sh')
  repo.add('green', '--test-files', 'b.test.sh')
  repo.add('none', '--test-files', 'c.test.sh')
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ red: 'failed', green: 'completed', none: 'failed' })
  expect(repo.task('3').runs[0]).toMatchObject({
    reason: 'verify-failed',
    detail: expect.stringContaining('c.test.sh'),
  })
})

/** In a box the person's checkout is hidden. */
const OUTSIDE = { defaults: ONCE, isolation: 'off' } as const

test('a change outside its worktree does not count as work, stays where it is, and is reported', () => {
  const repo = anAgentRepo({ liar: 'echo changed >"$beside/repo/README.md"; echo done' }, OUTSIDE)
  repo.add('liar')
  repo.gza('work')
  expect(repo.statuses()).toEqual({ liar: 'failed' })
  expect(repo.inbox()).toMatchObject([{ code: 'OUTSIDE_CHANGES', detail: expect.stringContaining('README.md') }])
  expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('changed\n')
})

test('what changed outside beside honest work is noted on the task', () => {
  const repo = anAgentRepo({ mixed: 'commit a.txt a; echo changed >"$beside/repo/README.md"' }, OUTSIDE)
  repo.add('mixed')
  repo.gza('work')
  expect(repo.task('1').notes).toEqual([expect.stringContaining('README.md')])
})

test.each([
  ['as an agent should', 'git tasks done "$task"'],
  ['without the runner’s variable', 'env -u GZA_RUNNER git tasks done "$task"'],
  ['without any variable of gza', 'env -u GZA_RUNNER -u GZA_RUN -u GZA_AGENT -u GZA_GUARD gza done "$task"'],
  ['from the person’s checkout', 'cd "$beside/repo" && env -u GZA_RUNNER -u GZA_AGENT gza done "$task"'],
])('marking its own task done %s closes nothing', (_, act) => {
  const repo = anAgentRepo({ liar: act }, { defaults: ONCE })
  repo.add('liar')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.statuses()).toEqual({ liar: 'failed' })
})

test('the mark of an agent that then does the work does no harm', () => {
  const repo = anAgentRepo({ eager: 'git tasks done "$task"; commit a.txt a' })
  repo.add('eager')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.statuses()).toEqual({ eager: 'completed' })
})

test('an empty commit does not count as a change', () => {
  const repo = anAgentRepo({ liar: 'git commit -q --allow-empty -m done' }, { defaults: ONCE })
  repo.add('liar')
  repo.gza('work')
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'failed', reason: 'no-changes' }])
})
