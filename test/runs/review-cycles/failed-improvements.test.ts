import { expect, test } from 'bun:test'
import { expectNothingLeft } from './kill-at-steps.ts'
import { aReviewRepo } from './review-repo.ts'

test('an improvement that changes nothing stops the review cycle for a person, with a reason of its own', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one'], { improve: 'echo "I see nothing to improve"' })
  repo.add('Add feature X', '-t', 'implement', '-a')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1'])
  expect(repo.task('1')).toMatchObject({ status: 'failed', final_verdict: 'CHANGES_REQUESTED', review_cycle: 1 })
  expect(repo.inbox().map(({ code, detail }) => ({ code, detail }))).toEqual([
    { code: 'NO_IMPROVEMENT', detail: 'the agent made no change' },
  ])
  expectNothingLeft(repo)
})

test('so does one that only commits emptily', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one'], { improve: 'git commit -q --allow-empty -m "I disagree"' })
  repo.add('Add feature X', '-a')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.inbox().map(({ code }) => code)).toEqual(['NO_IMPROVEMENT'])
})

test('a check that fails after an improvement is given to the next attempt at it, and no earlier phase is repeated', () => {
  const repo = aReviewRepo(
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
  repo.add('Add feature X', '-a')
  const { code, stdout } = repo.gza('work')
  expect(code).toBe(0)
  expect(stdout.split('\n').slice(5)).toEqual([
    '  [2/3] Improving...',
    '  [2/3] Running review...',
    '  [2/3] Review: CHANGES_REQUESTED - two',
    '  [3/3] Improving...',
    '✗ Task #1 failed: verify-failed (attempt 1)',
    '  command-failed: sh check.sh exited with 1: BAD WORD',
    'Running task #1: Add feature X (attempt 2)',
    '  [3/3] Improving...',
    '  [3/3] Running review...',
    '  [3/3] Review: APPROVED',
    '✓ Task #1 completed (APPROVED after 3 cycles)',
    '',
  ])
  expect(repo.acted()).toEqual([
    ...['implement', 'review 1', 'improve 1', 'review 2', 'improve 2', 'improve 2', 'review 3'],
  ])
  expect(repo.promptOf('review 3')).not.toContain('BAD WORD')
  expect(repo.task('1').runs.map(({ outcome, reason, phase }) => [outcome, reason, phase])).toEqual([
    ['failed', 'verify-failed', 'improve 2'],
    ['completed', null, undefined],
  ])
  expectNothingLeft(repo)
})

test('a commit that somebody adds between two phases is checked before it is reviewed', () => {
  const repo = aReviewRepo(
    ['CHANGES_REQUESTED - one'],
    {},
    { config: { verify: { command: '! grep -q bad feature.txt' } } },
  )
  repo.add('feature', '-a')
  expect(repo.withEnv({ GZA_CRASH_AT: 'passed:1' }).gza('work').code).toBe(137)
  // The next start takes the dead worker's place down; then the branch is free.
  expect(repo.withEnv({ GZA_CRASH_AT: 'leased' }).gza('work').code).toBe(137)
  repo.git('checkout', '--quiet', String(repo.task('1').branch))
  repo.commit('by hand', { 'feature.txt': 'bad\n' })
  repo.git('checkout', '--quiet', 'main')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.acted()).toEqual(['implement'])
  expect(repo.inbox().map(({ code }) => code)).toEqual(['VERIFY_FAILED'])
})
