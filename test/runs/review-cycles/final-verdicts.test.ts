import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { until } from '../../support/until.ts'
import { aLoop, reviewNames } from './review-repo.ts'

test('the last review that asks for changes is MAX_CYCLES_REACHED: completed, and in the inbox', () => {
  const stage = aLoop(['CHANGES_REQUESTED - feature.txt:1 not yet'])
  stage.add('Add feature Y', '-t', 'implement', '-a', '--max-cycles', '2')
  const { code, stdout } = stage.gza('work')
  expect(code).toBe(0)
  expect(stdout.split('\n').slice(-5)).toEqual([
    '  [2/2] Running review...',
    '  [2/2] Review: CHANGES_REQUESTED - feature.txt:1 not yet',
    '  Max review cycles (2) reached without approval',
    '✓ Task #1 completed (MAX_CYCLES_REACHED after 2 cycles)',
    '',
  ])
  expect(stage.acted()).toEqual(['implement', 'review 1', 'improve 1', 'review 2'])
  expect(stage.row()).toBe('✓ 1. implement Add feature Y completed MAX_CYCLES_REACHED (2 cycles)')
  const [last] = reviewNames(stage, '1', 2)
  expect(stage.inbox()).toEqual([
    {
      task: { number: 1, id: stage.task('1').id, title: 'Add feature Y', status: 'completed' },
      code: 'MAX_CYCLES_REACHED',
      detail: `feature.txt:1 not yet (.gza/reviews/${last})`,
      commands: ['gza improve 1 --review', 'gza edit 1 --verdict APPROVED'],
    },
  ])
})

test('NEEDS_DISCUSSION stops at once: completed, and in the inbox', () => {
  const stage = aLoop(['NEEDS_DISCUSSION - is this wanted at all?'])
  stage.add('Add feature X', '-t', 'implement', '-a')
  const { code, stdout } = stage.gza('work')
  expect(code).toBe(0)
  expect(stdout).toContain(
    '  [1/3] Review: NEEDS_DISCUSSION - is this wanted at all?\n✓ Task #1 completed (NEEDS_DISCUSSION',
  )
  expect(stage.acted()).toEqual(['implement', 'review 1'])
  expect(stage.row()).toBe('✓ 1. implement Add feature X completed NEEDS_DISCUSSION (1 cycle)')
  expect(stage.inbox().map(({ code, commands }) => ({ code, commands }))).toEqual([
    { code: 'NEEDS_DISCUSSION', commands: ['gza improve 1 --review', 'gza edit 1 --verdict APPROVED'] },
  ])
})

test('a loop that failed half way is CHANGES_REQUESTED', () => {
  const stage = aLoop(['CHANGES_REQUESTED - one'], { improve: 'exit 3' }, { defaults: { max_attempts: 1 } })
  stage.add('Add feature X', '-t', 'implement', '-a')
  expect(stage.gza('work').code).toBe(1)
  expect(stage.row()).toBe('✗ 1. implement Add feature X failed CHANGES_REQUESTED (1 cycle)')
  expect(stage.task('1')).toMatchObject({ final_verdict: 'CHANGES_REQUESTED', review_cycle: 1, max_review_cycles: 3 })
  expect(stage.inbox().map(({ code }) => code)).toEqual(['AGENT_ERROR'])
})

test('without a review there is no verdict', () => {
  const stage = aLoop(['APPROVED'], { implement: 'exit 3' }, { defaults: { max_attempts: 1 } })
  stage.add('Add feature X', '-t', 'implement', '-a')
  expect(stage.task('1')).toMatchObject({ auto_review: true, final_verdict: null, review_cycle: 0 })
  expect(stage.gza('work').code).toBe(1)
  expect(stage.row()).toBe('✗ 1. implement Add feature X failed')
  expect(stage.task('1').final_verdict).toBeNull()
})

test('while it runs the status shows the cycle it works toward', async () => {
  const stage = aLoop(['CHANGES_REQUESTED - one', 'APPROVED'], {
    implement: 'commit feature.txt x; hold implement',
    improve: 'save feature.txt "$title after review $cycle"; hold improve',
  })
  stage.add('Add feature Z', '-t', 'implement', '-a')
  const work = stage.start(['gza', 'work'])
  await until(() => existsSync(stage.beside('at-implement')))
  expect(stage.row()).toBe('→ 1. implement Add feature Z in_progress (cycle 1/3)')
  writeFileSync(stage.beside('go-implement'), '')
  await until(() => existsSync(stage.beside('at-improve')))
  expect(stage.row()).toBe('→ 1. implement Add feature Z in_progress (cycle 2/3)')
  expect(stage.task('1')).toMatchObject({ review_cycle: 2, max_review_cycles: 3, final_verdict: null })
  writeFileSync(stage.beside('go-improve'), '')
  expect((await work).code).toBe(0)
  expect(stage.row()).toBe('✓ 1. implement Add feature Z completed APPROVED (2 cycles)')
})

test('a person may approve what no review has, and is named for it; an agent may not', () => {
  const stage = aLoop(['CHANGES_REQUESTED - not yet'])
  stage.add('Add feature X', '-t', 'implement', '-a', '--max-cycles', '1')
  expect(stage.gza('work').code).toBe(0)
  const agent = stage.withEnv({ GZA_AGENT: 'claude-code' }).gza('edit', '1', '--verdict', 'APPROVED')
  expect({ code: agent.code, isRefused: /agent/i.test(agent.stderr) }).toEqual({ code: 1, isRefused: true })
  expect(stage.row()).toBe('✓ 1. implement Add feature X completed MAX_CYCLES_REACHED (1 cycle)')
  expect(stage.gza('edit', '1', '--verdict', 'APPROVED').code).toBe(0)
  expect(stage.row()).toBe('✓ 1. implement Add feature X completed APPROVED (1 cycle)')
  expect(stage.inbox()).toEqual([])
  expect(stage.acted()).toEqual(['implement', 'review 1'])
  expect(stage.git('log', '-1', '--format=%B', 'refs/tasks/main')).toMatch(
    /^edit \S+ final_verdict\n\nActor: Test\nMode: human/,
  )
  expect(stage.gza('edit', '1', '--verdict', 'FINE').code).not.toBe(0)
})

test('a task that is opened again has no verdict, and is implemented and reviewed anew beside the old reviews', () => {
  const stage = aLoop(['APPROVED'], { implement: 'commit feature.txt "$(basename "$call")"' })
  stage.add('Add feature X', '-a')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.gza('edit', '1', '--reopen').code).toBe(0)
  expect(stage.task('1')).toMatchObject({ status: 'pending', final_verdict: null, review_cycle: 0 })
  expect(stage.gza('work').code).toBe(0)
  expect(stage.acted()).toEqual(['implement', 'review 1', 'implement', 'review 1'])
  expect(stage.reviews()).toEqual(reviewNames(stage, '1', '1-again-1', 1))
  expect(stage.artifacts()).toEqual(stage.reviews())
  expect(stage.gza('verify').code).toBe(0)
})
