import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { until } from '../../support/until.ts'
import { expectNothingLeft } from './kill-at-steps.ts'
import { aLoop } from './review-repo.ts'

test('asked to stop, it finishes the phase that runs and begins no other; the next work goes on there', async () => {
  const stage = aLoop(['CHANGES_REQUESTED - one', 'APPROVED'], { review: 'judge CHANGES_REQUESTED one; hold review' })
  stage.add('feature', '-a', '--max-cycles', '2')
  const said = stage.beside('said')
  const work = stage.start(['sh', '-c', `echo $$ >'${stage.beside('pid')}'; exec gza work >'${said}' 2>&1`], {
    timeout: 60_000,
  })
  await until(() => existsSync(stage.beside('at-review')))
  stage.run(['kill', '-INT', readFileSync(stage.beside('pid'), 'utf8').trim()])
  await until(() => readFileSync(said, 'utf8').includes('Stopping when the running phases are finished'))
  writeFileSync(stage.beside('go-review'), '')
  await work
  expect(readFileSync(said, 'utf8')).toContain(
    '  [1/2] Review: CHANGES_REQUESTED - one\nTask #1 interrupted; its work is kept',
  )
  expect(stage.acted()).toEqual(['implement', 'review 1'])
  expect(stage.task('1')).toMatchObject({ status: 'pending', review_cycle: 1, final_verdict: 'CHANGES_REQUESTED' })
  expectNothingLeft(stage)
  expect(stage.gza('work').code).toBe(0)
  expect(stage.acted()).toEqual(['implement', 'review 1', 'improve 1', 'review 2'])
})

test('a review that is killed is made again, and nothing before it', async () => {
  const stage = aLoop(['APPROVED'], {
    review: 'if [ -e "$stage/at-review" ]; then judge APPROVED; else hold review; fi',
  })
  stage.add('feature', '-a')
  const work = stage.start(['gza', 'work'])
  await until(() => existsSync(stage.beside('at-review')))
  expect(stage.gza('kill', '1').code).toBe(0)
  await work
  expect(stage.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'interrupted', phase: 'review 1' }] })
  expectNothingLeft(stage)
  expect(stage.gza('work').code).toBe(0)
  expect(stage.acted()).toEqual(['implement', 'review 1', 'review 1'])
})
