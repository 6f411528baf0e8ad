import { expect, test } from 'bun:test'
import { expectNothingLeft } from './kill-at-steps.ts'
import { aLoop } from './review-repo.ts'

test('an improvement that changes nothing stops the loop for a person, with a reason of its own', () => {
  const stage = aLoop(['CHANGES_REQUESTED - one'], { improve: 'echo "I see nothing to improve"' })
  stage.add('Add feature X', '-t', 'implement', '-a')
  expect(stage.gza('work').code).toBe(1)
  expect(stage.acted()).toEqual(['implement', 'review 1', 'improve 1'])
  expect(stage.task('1')).toMatchObject({ status: 'failed', final_verdict: 'CHANGES_REQUESTED', review_cycle: 1 })
  expect(stage.inbox().map(({ code, detail }) => ({ code, detail }))).toEqual([
    { code: 'NO_IMPROVEMENT', detail: 'the agent made no change' },
  ])
  expectNothingLeft(stage)
})

test('so does one that only commits emptily', () => {
  const stage = aLoop(['CHANGES_REQUESTED - one'], { improve: 'git commit -q --allow-empty -m "I disagree"' })
  stage.add('Add feature X', '-a')
  expect(stage.gza('work').code).toBe(1)
  expect(stage.inbox().map(({ code }) => code)).toEqual(['NO_IMPROVEMENT'])
})

test('a red check after an improvement is told to the next attempt at it, and no earlier phase is repeated', () => {
  const stage = aLoop(
    ['CHANGES_REQUESTED - one', 'CHANGES_REQUESTED - two', 'APPROVED'],
    {
      improve: `if [ "$cycle" = 2 ] && ! grep -q 'BAD WORD' <<<"$prompt"; then save feature.txt bad
        else save feature.txt "good $cycle"; fi`,
    },
    {
      config: { verify: { command: 'sh check.sh' } },
      files: { 'check.sh': 'if grep -q bad feature.txt; then echo BAD WORD; exit 1; fi\n' },
    },
  )
  stage.add('Add feature X', '-a')
  const { code, stdout } = stage.gza('work')
  expect(code).toBe(0)
  expect(stdout.split('\n').slice(5)).toEqual([
    '  [2/3] Improving...',
    '  [2/3] Running review...',
    '  [2/3] Review: CHANGES_REQUESTED - two',
    '  [3/3] Improving...',
    '✗ Task #1 failed: verify-failed (attempt 1)',
    expect.stringMatching(/^ {2}command-failed: /),
    '  BAD WORD',
    'Running task #1: Add feature X (attempt 2)',
    '  [3/3] Improving...',
    '  [3/3] Running review...',
    '  [3/3] Review: APPROVED',
    '✓ Task #1 completed (APPROVED after 3 cycles)',
    '',
  ])
  expect(stage.acted()).toEqual([
    ...['implement', 'review 1', 'improve 1', 'review 2', 'improve 2', 'improve 2', 'review 3'],
  ])
  expect(stage.promptOf('review 3')).not.toContain('BAD WORD')
  expect(stage.task('1').runs.map(({ outcome, reason, phase }) => [outcome, reason, phase])).toEqual([
    ['failed', 'verify-failed', 'improve 2'],
    ['completed', undefined, undefined],
  ])
  expectNothingLeft(stage)
})

test('a commit that somebody adds between two phases is checked before it is reviewed', () => {
  const stage = aLoop(['CHANGES_REQUESTED - one'], {}, { config: { verify: { command: '! grep -q bad feature.txt' } } })
  stage.add('feature', '-a')
  expect(stage.withEnv({ GZA_CRASH_AT: 'passed:1' }).gza('work').code).toBe(137)
  // The next start takes the dead worker's place down; then the branch is free.
  expect(stage.withEnv({ GZA_CRASH_AT: 'leased' }).gza('work').code).toBe(137)
  stage.git('checkout', '--quiet', String(stage.task('1').branch))
  stage.commit('by hand', { 'feature.txt': 'bad\n' })
  stage.git('checkout', '--quiet', 'main')
  expect(stage.gza('work').code).toBe(1)
  expect(stage.acted()).toEqual(['implement'])
  expect(stage.inbox().map(({ code }) => code)).toEqual(['VERIFY_FAILED'])
})
