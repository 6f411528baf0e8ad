import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { until } from '../../support/until.ts'
import { aReviewRepo, reviewNames } from './review-repo.ts'

test('with more cycles a retry continues after the last review, and nothing is done again', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'CHANGES_REQUESTED - two', 'APPROVED'])
  repo.add('feature', '-a', '--max-cycles', '2')
  expect(repo.gza('work').stdout).toContain('MAX_CYCLES_REACHED after 2 cycles')
  const used = repo.gza('retry', '1')
  expect([used.code, used.stderr]).toEqual([
    1,
    'Error: Task #1 has used all of its review cycles (2)\n  gza edit 1 --max-cycles 3 allows one more; then gza retry 1\n',
  ])
  expect(repo.gza('edit', '1', '--max-cycles', '3').code).toBe(0)
  const retried = repo.gza('retry', '1')
  expect([retried.code, retried.stdout]).toEqual([0, expect.stringContaining('(APPROVED after 3 cycles)')])
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1', 'review 2', 'improve 2', 'review 3'])
  expect(repo.promptOf('improve 2')).toContain('1. two')
  expect(repo.task('1')).toMatchObject({ final_verdict: 'APPROVED', review_cycle: 3, max_review_cycles: 3 })
  expect(repo.task('1').runs.map(({ attempt }) => attempt)).toEqual([1, 2])
  expect(repo.reviews()).toEqual(reviewNames(repo, '1', 1, 2, 3))
  expect([repo.inbox(), repo.gza('verify').code]).toEqual([[], 0])
  expect(repo.gza('retry', '1').stderr).toContain('is completed')
})

test('a person may change the number of cycles while the task runs', async () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'APPROVED'], {
    implement: 'commit feature.txt x; hold implement',
  })
  repo.add('feature', '-a', '--max-cycles', '1')
  const work = repo.start(['gza', 'work'])
  await until(() => existsSync(repo.beside('at-implement')))
  expect(repo.gza('edit', '1', '--max-cycles', '2').code).toBe(0)
  writeFileSync(repo.beside('go-implement'), '')
  expect((await work).stdout).toContain('(APPROVED after 2 cycles)')
})
