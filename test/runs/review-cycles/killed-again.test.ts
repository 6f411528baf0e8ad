import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { RECOVERY_STEPS, REVIEW_STEPS, RUN_STEPS } from '../../../src/core/run/named-steps.ts'
import { spawnGza } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { expectNothingLeft, expectThreeCycles, type Step, TIMES, threeCycles } from './kill-at-steps.ts'
import { aReviewRepo } from './review-repo.ts'

const SIGKILLED = 137

test('every step is walked through, as often as it is passed', () => {
  expect(Object.keys(TIMES).sort()).toEqual([...RUN_STEPS, ...REVIEW_STEPS].sort())
  const repeated = (Object.entries(TIMES) as [Step, number][]).filter(([, times]) => times > 1)
  for (const [step, times] of repeated) {
    const repo = threeCycles()
    expect(repo.withEnv({ GZA_CRASH_AT: `${step}:${times + 1}` }).gza('work').code).toBe(0)
    expectThreeCycles(repo)
    repo.remove()
  }
})

test('a worker killed again before it used the outcome that the last one had recorded calls no agent again', () => {
  const repo = threeCycles()
  for (const step of ['heard:4', 'leased', 'started', 'prepared', 'kept'])
    expect(repo.withEnv({ GZA_CRASH_AT: step }).gza('work').code).toBe(SIGKILLED)
  expect(repo.gza('work').code).toBe(0)
  expectThreeCycles(repo)
})

for (const step of RECOVERY_STEPS) {
  test(`a restart killed at the step ${step} of ending a dead review loses nothing`, () => {
    const repo = threeCycles()
    for (const crash of ['passed:3', step])
      expect(repo.withEnv({ GZA_CRASH_AT: crash }).gza('work').code).toBe(SIGKILLED)
    expect(repo.gza('work').code).toBe(0)
    expectThreeCycles(repo)
  })
}

test('what an improvement had changed when its worker died is kept as unfinished, and it is improved again', async () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'APPROVED'], {
    improve:
      'if [ -e "$beside/half" ]; then save feature.txt whole; else save feature.txt half; touch "$beside/half"; forever; fi',
  })
  repo.add('feature', '-a')
  const dying = spawnGza(repo, 'work')
  await until(() => existsSync(repo.beside('half')))
  dying.process.kill('SIGKILL')
  await dying.ended
  expect(repo.gza('work').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1', 'improve 1', 'review 2'])
  expect(repo.subjects()).toEqual([
    'Address review feedback (cycle 1)',
    'WIP: feature (interrupted)',
    'feature: feature.txt',
  ])
  expectNothingLeft(repo)
})

test('a review that died after a failed improvement was made good is not called again', () => {
  const repo = aReviewRepo(
    ['CHANGES_REQUESTED - one', 'APPROVED'],
    { improve: '[ -e "$beside/tried" ] && save feature.txt good || save feature.txt bad; touch "$beside/tried"' },
    { config: { verify: { command: '! grep -q bad feature.txt' } } },
  )
  repo.add('feature', '-a')
  // Heard are: implement, review 1, improve 1 (red); then, in the second run, improve 1 and review 2.
  expect(repo.withEnv({ GZA_CRASH_AT: 'heard:5' }).gza('work').code).toBe(SIGKILLED)
  expect(repo.gza('work').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1', 'improve 1', 'review 2'])
  expect(repo.promptOf('review 2')).not.toContain('which failed')
  expect(repo.task('1').final_verdict).toBe('APPROVED')
})
