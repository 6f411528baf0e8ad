import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { until } from '../../support/until.ts'
import { expectNothingLeft } from './kill-at-steps.ts'
import { aReviewRepo } from './review-repo.ts'

test('asked to stop, it finishes the phase that runs and begins no other; the next work continues there', async () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'APPROVED'], {
    review: 'judge CHANGES_REQUESTED one; hold review',
  })
  repo.add('feature', '-a', '--max-cycles', '2')
  const said = repo.beside('said')
  const work = repo.start(['sh', '-c', `echo $$ >'${repo.beside('pid')}'; exec gza work >'${said}' 2>&1`], {
    timeout: 60_000,
  })
  await until(() => existsSync(repo.beside('at-review')))
  repo.run(['kill', '-INT', readFileSync(repo.beside('pid'), 'utf8').trim()])
  await until(() => readFileSync(said, 'utf8').includes('Stopping when the running phases are finished'))
  writeFileSync(repo.beside('go-review'), '')
  await work
  expect(readFileSync(said, 'utf8')).toContain(
    '  [1/2] Review: CHANGES_REQUESTED - one\nTask #1 interrupted; its work is kept',
  )
  expect(repo.acted()).toEqual(['implement', 'review 1'])
  expect(repo.task('1')).toMatchObject({ status: 'pending', review_cycle: 1, final_verdict: 'CHANGES_REQUESTED' })
  expectNothingLeft(repo)
  expect(repo.gza('work').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1', 'review 2'])
})

test('a review that is killed is made again, and nothing before it', async () => {
  const repo = aReviewRepo(['APPROVED'], {
    review: 'if [ -e "$beside/at-review" ]; then judge APPROVED; else hold review; fi',
  })
  repo.add('feature', '-a')
  const work = repo.start(['gza', 'work'])
  await until(() => existsSync(repo.beside('at-review')))
  expect(repo.gza('kill', '1').code).toBe(0)
  await work
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'interrupted', phase: 'review 1' }] })
  expectNothingLeft(repo)
  expect(repo.gza('work').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'review 1'])
})
