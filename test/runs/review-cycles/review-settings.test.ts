import { expect, test } from 'bun:test'
import { aLoop, type LoopStage, reviewNames } from './review-repo.ts'

const NEVER = ['CHANGES_REQUESTED - not yet']

function reviewsMade(stage: LoopStage): number {
  expect(stage.gza('work').code).toBe(0)
  return stage.acted().filter((phase) => phase.startsWith('review')).length
}

const BY_FLAGS: [flags: string[], reviews: number][] = [
  [['--type', 'implement', '--auto-review'], 3],
  [['--type', 'implement', '--auto-review', '--max-cycles', '2'], 2],
  [['-t', 'implement', '-a', '--max-cycles', '1'], 1],
  [['-t', 'implement'], 0],
  [['-a', '--max-cycles', '1'], 1],
]

test.each(BY_FLAGS)('gza add %p makes at most so many reviews: %d', (flags, reviews) => {
  const stage = aLoop(NEVER)
  stage.add('Add feature X', ...flags)
  expect(reviewsMade(stage)).toBe(reviews)
})

test('defaults.auto_review and defaults.max_review_cycles hold for every task that makes commits', () => {
  const stage = aLoop(NEVER, {}, { defaults: { auto_review: true, max_review_cycles: 2 } })
  stage.add('Add feature X')
  expect(reviewsMade(stage)).toBe(2)
})

test('task_types.implement has its own, and other types are not reviewed', () => {
  const own = { task_types: { implement: { auto_review: true, max_review_cycles: 1 } } }
  const stage = aLoop(NEVER, {}, { config: own })
  stage.add('Add feature X', '-t', 'implement')
  stage.add('Add feature Y', '-t', 'task')
  expect(stage.gza('work', '--all').code).toBe(0)
  expect(stage.acted()).toEqual(['implement', 'review 1', 'implement'])
  expect(stage.task('2').final_verdict).toBeNull()
})

test('--no-auto-review opts a task out of what is configured', () => {
  const stage = aLoop(NEVER, {}, { defaults: { auto_review: true } })
  stage.add('Add feature X', '--no-auto-review')
  expect(reviewsMade(stage)).toBe(0)
  expect(stage.row()).toMatch(/^✓ 1\. Add feature X completed \d\d\/\d\d$/)
})

test('a task’s own number of cycles beats its type’s', () => {
  const stage = aLoop(NEVER, {}, { config: { task_types: { implement: { auto_review: true, max_review_cycles: 3 } } } })
  stage.add('Add feature X', '-t', 'implement', '--max-cycles', '1')
  expect(reviewsMade(stage)).toBe(1)
})

test('a number of cycles that is none is refused', () => {
  const stage = aLoop(NEVER)
  for (const cycles of ['0', '-1', 'many', '1.5'])
    expect(stage.gza('add', 'x', '-a', '--max-cycles', cycles).code).toBe(2)
})

test.each(['plan', 'explore', 'review'])('a loop for a task that makes no commits (%s) is refused', (type) => {
  const { code, stderr } = aLoop(NEVER).gza('add', 'x', '-t', type, '-a')
  expect(code).toBe(2)
  expect(stderr).toContain(`A ${type} task makes no commits to review`)
})

test('the reviewer is told the task, the plan, the criteria and the whole diff, and nothing of earlier reviews', () => {
  const stage = aLoop(['CHANGES_REQUESTED - the first point', 'APPROVED'])
  stage.add('Add feature X', '-a', '--accept', 'it is fast')
  expect(stage.gza('work').code).toBe(0)
  const { branch } = stage.task('1')
  const prompt = stage.promptOf('review 2')
  expect(prompt).toContain(stage.git('rev-parse', String(branch)).slice(0, 12))
  expect(prompt).toContain('it is fast')
  expect(prompt).toContain('+Add feature X after review 1')
  expect(prompt).not.toContain('the first point')
  expect(stage.promptOf('improve 1')).toContain('1. the first point')
  expect(stage.promptOf('improve 1')).toContain('with the message: Address review feedback (cycle 1)')
})

test('each phase has a process and, for a review, a checkout of its own', () => {
  const stage = aLoop(['CHANGES_REQUESTED - one', 'APPROVED'])
  stage.add('Add feature X', '-a')
  expect(stage.gza('work').code).toBe(0)
  const [implement, first, improve, second] = stage.calls().map(({ cwd }) => cwd)
  expect(improve).toBe(String(implement))
  expect(first).not.toBe(String(implement))
  expect(second).not.toBe(String(implement))
  expect(stage.worktrees()).toEqual([])
})

test('what an improvement commits itself keeps its own message', () => {
  const stage = aLoop(['CHANGES_REQUESTED - one', 'APPROVED'], {
    improve: 'commit feature.txt better; save more.txt x',
  })
  stage.add('Add feature X', '-a')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.subjects()).toEqual([
    'Address review feedback (cycle 1)',
    'Add feature X: feature.txt',
    'Add feature X: feature.txt',
  ])
})

test('the names of the reviews carry the number of their task', () => {
  const stage = aLoop(['APPROVED'])
  stage.add('one')
  const number = stage.add('two', '-a')
  expect(stage.gza('work', number).code).toBe(0)
  expect(stage.reviews()).toEqual(reviewNames(stage, '2', 1))
  expect(stage.git('status', '--porcelain')).toBe('')
})
