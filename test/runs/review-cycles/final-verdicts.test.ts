import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { until } from '../../support/until.ts'
import { aReviewRepo, reviewNames } from './review-repo.ts'

test('the last review that asks for changes is MAX_CYCLES_REACHED: completed, and in the inbox', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - feature.txt:1 not yet'])
  repo.add('Add feature Y', '-t', 'implement', '-a', '--max-cycles', '2')
  const { code, stdout } = repo.gza('work')
  expect(code).toBe(0)
  expect(stdout.split('\n').slice(-5)).toEqual([
    '  [2/2] Running review...',
    '  [2/2] Review: CHANGES_REQUESTED - feature.txt:1 not yet',
    '  Max review cycles (2) reached without approval',
    '✓ Task #1 completed (MAX_CYCLES_REACHED after 2 cycles)',
    '',
  ])
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1', 'review 2'])
  expect(repo.row()).toBe('✓ 1. implement Add feature Y completed MAX_CYCLES_REACHED (2 cycles)')
  const [last] = reviewNames(repo, '1', 2)
  expect(repo.inbox()).toEqual([
    {
      task: { number: 1, id: repo.task('1').id, title: 'Add feature Y', status: 'completed' },
      code: 'MAX_CYCLES_REACHED',
      detail: `feature.txt:1 not yet (.gza/reviews/${last})`,
      commands: ['gza improve 1 --review', 'gza edit 1 --verdict APPROVED'],
      ...{ subject: null, cycle_texts: [] },
    },
  ])
})

test('NEEDS_DISCUSSION stops at once: completed, and in the inbox', () => {
  const repo = aReviewRepo(['NEEDS_DISCUSSION - is this wanted at all?'])
  repo.add('Add feature X', '-t', 'implement', '-a')
  const { code, stdout } = repo.gza('work')
  expect(code).toBe(0)
  expect(stdout).toContain(
    '  [1/3] Review: NEEDS_DISCUSSION - is this wanted at all?\n✓ Task #1 completed (NEEDS_DISCUSSION',
  )
  expect(repo.acted()).toEqual(['implement', 'review 1'])
  expect(repo.row()).toBe('✓ 1. implement Add feature X completed NEEDS_DISCUSSION (1 cycle)')
  expect(repo.inbox().map(({ code, commands }) => ({ code, commands }))).toEqual([
    { code: 'NEEDS_DISCUSSION', commands: ['gza improve 1 --review', 'gza edit 1 --verdict APPROVED'] },
  ])
})

test('a review cycle that failed half way is CHANGES_REQUESTED', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one'], { improve: 'exit 3' }, { defaults: { max_attempts: 1 } })
  repo.add('Add feature X', '-t', 'implement', '-a')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.row()).toBe('✗ 1. implement Add feature X failed CHANGES_REQUESTED (1 cycle)')
  expect(repo.task('1')).toMatchObject({ final_verdict: 'CHANGES_REQUESTED', review_cycle: 1, max_review_cycles: 3 })
  expect(repo.inbox().map(({ code }) => code)).toEqual(['AGENT_ERROR'])
})

test('without a review there is no verdict', () => {
  const repo = aReviewRepo(['APPROVED'], { implement: 'exit 3' }, { defaults: { max_attempts: 1 } })
  repo.add('Add feature X', '-t', 'implement', '-a')
  expect(repo.task('1')).toMatchObject({ auto_review: true, final_verdict: null, review_cycle: 0 })
  expect(repo.gza('work').code).toBe(1)
  expect(repo.row()).toBe('✗ 1. implement Add feature X failed')
  expect(repo.task('1').final_verdict).toBeNull()
})

test('while it runs the status shows the cycle it works toward', async () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'APPROVED'], {
    implement: 'commit feature.txt x; hold implement',
    improve: 'save feature.txt "$title after review $cycle"; hold improve',
  })
  repo.add('Add feature Z', '-t', 'implement', '-a')
  const work = repo.start(['gza', 'work'])
  await until(() => existsSync(repo.beside('at-implement')))
  expect(repo.row()).toBe('→ 1. implement Add feature Z in_progress (cycle 1/3)')
  writeFileSync(repo.beside('go-implement'), '')
  await until(() => existsSync(repo.beside('at-improve')))
  expect(repo.row()).toBe('→ 1. implement Add feature Z in_progress (cycle 2/3)')
  expect(repo.task('1')).toMatchObject({ review_cycle: 2, max_review_cycles: 3, final_verdict: null })
  writeFileSync(repo.beside('go-improve'), '')
  expect((await work).code).toBe(0)
  expect(repo.row()).toBe('✓ 1. implement Add feature Z completed APPROVED (2 cycles)')
})

test('a person may approve what no review has, and is named for it; an agent may not', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - not yet'])
  repo.add('Add feature X', '-t', 'implement', '-a', '--max-cycles', '1')
  expect(repo.gza('work').code).toBe(0)
  const agent = repo.withEnv({ GZA_AGENT: 'claude-code' }).gza('edit', '1', '--verdict', 'APPROVED')
  expect({ code: agent.code, isRefused: /agent/i.test(agent.stderr) }).toEqual({ code: 1, isRefused: true })
  expect(repo.row()).toBe('✓ 1. implement Add feature X completed MAX_CYCLES_REACHED (1 cycle)')
  expect(repo.gza('edit', '1', '--verdict', 'APPROVED').code).toBe(0)
  expect(repo.row()).toBe('✓ 1. implement Add feature X completed APPROVED (1 cycle)')
  expect(repo.inbox()).toEqual([])
  expect(repo.acted()).toEqual(['implement', 'review 1'])
  expect(repo.git('log', '-1', '--format=%B', 'refs/tasks/main')).toMatch(
    /^edit \S+ final_verdict\n\nActor: Test\nMode: human/,
  )
  expect(repo.gza('edit', '1', '--verdict', 'FINE').code).not.toBe(0)
})

test('a task that is opened again has no verdict, and is implemented and reviewed anew beside the old reviews', () => {
  const repo = aReviewRepo(['APPROVED'], { implement: 'commit feature.txt "$(basename "$call")"' })
  repo.add('Add feature X', '-a')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.gza('edit', '1', '--reopen').code).toBe(0)
  expect(repo.task('1')).toMatchObject({ status: 'pending', final_verdict: null, review_cycle: 0 })
  expect(repo.gza('work').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'implement', 'review 1'])
  expect(repo.reviews()).toEqual(reviewNames(repo, '1', '1-again-1', 1))
  expect(repo.artifacts()).toEqual(repo.reviews())
  expect(repo.gza('verify').code).toBe(0)
})
