import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aStage } from '../../support/scripted-agent.ts'

const ONCE = { max_attempts: 1 }

test('who says done and changed nothing has done nothing', () => {
  const stage = aStage({ liar: 'echo "<promise>DONE</promise> All tests pass."' }, { defaults: ONCE })
  stage.add('liar')
  stage.add('honest')
  expect(stage.gza('work', '--all').code).toBe(1)
  expect(stage.statuses()).toEqual({ liar: 'failed', honest: 'completed' })
  expect(stage.inbox().map(({ task, code }) => [task?.title, code])).toEqual([['liar', 'NO_CHANGES']])
})

test('a red check is told to the next attempt, and the third one is the last', () => {
  const stage = aStage(
    { liar: 'commit "try-$(ls | wc -l).txt" x; echo done' },
    { files: { 'check.sh': 'echo "expected 4, got 5"; exit 3\n' }, config: { verify: { command: 'sh check.sh' } } },
  )
  stage.add('liar')
  stage.gza('work', '--all')
  expect(stage.statuses()).toEqual({ liar: 'failed' })
  const [first, second, third] = stage.calls().map(({ prompt }) => prompt)
  expect(first).not.toContain('expected 4, got 5')
  for (const prompt of [second, third]) expect(prompt).toContain('expected 4, got 5')
  expect(third).toContain('Attempt 2 failed: verify-failed')
  expect(stage.calls()).toHaveLength(3)
  expect(stage.inbox()).toMatchObject([{ code: 'VERIFY_FAILED', task: { title: 'liar' } }])
  expect(stage.worktrees()).toEqual([])
})

test('tests that the task names are run by the test command, and their file must be in the commit', () => {
  const stage = aStage(
    { red: 'commit a.test.sh "exit 1"', green: 'commit b.test.sh "exit 0"', none: 'commit c.txt c' },
    { defaults: ONCE, config: { verify: { test_command: 'sh' } } },
  )
  stage.add('red', '--test-files', 'a.test.sh')
  stage.add('green', '--test-files', 'b.test.sh')
  stage.add('none', '--test-files', 'c.test.sh')
  stage.gza('work', '--all')
  expect(stage.statuses()).toEqual({ red: 'failed', green: 'completed', none: 'failed' })
  expect(stage.task('3').runs[0]).toMatchObject({
    reason: 'verify-failed',
    detail: expect.stringContaining('c.test.sh'),
  })
})

test('a change outside its worktree is no work, stays where it is, and is told', () => {
  const stage = aStage({ liar: 'echo changed >"$stage/repo/README.md"; echo done' }, { defaults: ONCE })
  stage.add('liar')
  stage.gza('work')
  expect(stage.statuses()).toEqual({ liar: 'failed' })
  expect(stage.inbox()).toMatchObject([{ code: 'OUTSIDE_CHANGES', detail: expect.stringContaining('README.md') }])
  expect(readFileSync(join(stage.dir, 'README.md'), 'utf8')).toBe('changed\n')
})

test('what changed outside beside honest work is noted on the task', () => {
  const stage = aStage({ mixed: 'commit a.txt a; echo changed >"$stage/repo/README.md"' }, { defaults: ONCE })
  stage.add('mixed')
  stage.gza('work')
  expect(stage.task('1').notes).toEqual([expect.stringContaining('README.md')])
})

test.each([
  ['as an agent should', 'git tasks done "$task"'],
  ['without the runner’s variable', 'env -u GZA_RUNNER git tasks done "$task"'],
  ['without any variable of gza', 'env -u GZA_RUNNER -u GZA_RUN -u GZA_AGENT -u GZA_GUARD gza done "$task"'],
  ['from the person’s checkout', 'cd "$stage/repo" && env -u GZA_RUNNER -u GZA_AGENT gza done "$task"'],
])('marking its own task done %s closes nothing', (_, act) => {
  const stage = aStage({ liar: act }, { defaults: ONCE })
  stage.add('liar')
  expect(stage.gza('work').code).toBe(1)
  expect(stage.statuses()).toEqual({ liar: 'failed' })
})

test('the mark of an agent that then does the work is no hindrance', () => {
  const stage = aStage({ eager: 'git tasks done "$task"; commit a.txt a' })
  stage.add('eager')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.statuses()).toEqual({ eager: 'completed' })
})

test('an empty commit is no change', () => {
  const stage = aStage({ liar: 'git commit -q --allow-empty -m done' }, { defaults: ONCE })
  stage.add('liar')
  stage.gza('work')
  expect(stage.task('1').runs).toMatchObject([{ outcome: 'failed', reason: 'no-changes' }])
})
