import { expect, test } from 'bun:test'
import { aReviewRepo, type ReviewRepo, reviewNames } from './review-repo.ts'

const NEVER = ['CHANGES_REQUESTED - not yet']

function reviewsMade(repo: ReviewRepo): number {
  expect(repo.gza('work').code).toBe(0)
  return repo.acted().filter((phase) => phase.startsWith('review')).length
}

const BY_FLAGS: [flags: string[], reviews: number][] = [
  [['--type', 'implement', '--auto-review'], 3],
  [['--type', 'implement', '--auto-review', '--max-cycles', '2'], 2],
  [['-t', 'implement', '-a', '--max-cycles', '1'], 1],
  [['-t', 'implement'], 0],
  [['-a', '--max-cycles', '1'], 1],
]

test.each(BY_FLAGS)('gza add %p makes at most so many reviews: %d', (flags, reviews) => {
  const repo = aReviewRepo(NEVER)
  repo.add('Add feature X', ...flags)
  expect(reviewsMade(repo)).toBe(reviews)
})

test('defaults.auto_review and defaults.max_review_cycles hold for every task that makes commits', () => {
  const repo = aReviewRepo(NEVER, {}, { defaults: { auto_review: true, max_review_cycles: 2 } })
  repo.add('Add feature X')
  expect(reviewsMade(repo)).toBe(2)
})

test('task_types.implement has its own, and other types are not reviewed', () => {
  const own = { task_types: { implement: { auto_review: true, max_review_cycles: 1 } } }
  const repo = aReviewRepo(NEVER, {}, { config: own })
  repo.add('Add feature X', '-t', 'implement')
  repo.add('Add feature Y', '-t', 'task')
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'implement'])
  expect(repo.task('2').final_verdict).toBeNull()
})

test('--no-auto-review opts a task out of what is configured', () => {
  const repo = aReviewRepo(NEVER, {}, { defaults: { auto_review: true } })
  repo.add('Add feature X', '--no-auto-review')
  expect(reviewsMade(repo)).toBe(0)
  expect(repo.row()).toMatch(/^✓ 1\. Add feature X completed \d\d\/\d\d$/)
})

test('a task’s own number of cycles beats its type’s', () => {
  const repo = aReviewRepo(
    NEVER,
    {},
    { config: { task_types: { implement: { auto_review: true, max_review_cycles: 3 } } } },
  )
  repo.add('Add feature X', '-t', 'implement', '--max-cycles', '1')
  expect(reviewsMade(repo)).toBe(1)
})

test('a number of cycles that is not a number is refused', () => {
  const repo = aReviewRepo(NEVER)
  for (const cycles of ['0', '-1', 'many', '1.5'])
    expect(repo.gza('add', 'x', '-a', '--max-cycles', cycles).code).toBe(2)
})

test.each(['plan', 'explore', 'review'])('a review cycle for a task that makes no commits (%s) is refused', (type) => {
  const { code, stderr } = aReviewRepo(NEVER).gza('add', 'x', '-t', type, '-a')
  expect(code).toBe(2)
  expect(stderr).toContain(`${type === 'explore' ? 'An' : 'A'} ${type} task makes no commits to review`)
})

test('the reviewer gets the task, the plan, the criteria and the whole diff, and nothing of earlier reviews', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - the first point', 'APPROVED'])
  repo.add('Add feature X', '-a', '--accept', 'it is fast')
  expect(repo.gza('work').code).toBe(0)
  const { branch } = repo.task('1')
  const prompt = repo.promptOf('review 2')
  expect(prompt).toContain(repo.git('rev-parse', String(branch)).slice(0, 12))
  expect(prompt).toContain('it is fast')
  expect(prompt).toContain('+Add feature X after review 1')
  expect(prompt).not.toContain('the first point')
  expect(repo.promptOf('improve 1')).toContain('1. the first point')
  expect(repo.promptOf('improve 1')).toContain('with the message: Address review feedback (cycle 1)')
})

test('each phase has a process and, for a review, a checkout of its own', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'APPROVED'])
  repo.add('Add feature X', '-a')
  expect(repo.gza('work').code).toBe(0)
  const [implement, first, improve, second] = repo.calls().map(({ cwd }) => cwd)
  expect(improve).toBe(String(implement))
  expect(first).not.toBe(String(implement))
  expect(second).not.toBe(String(implement))
  expect(repo.worktrees()).toEqual([])
})

test('what an improvement commits itself keeps its own message', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'APPROVED'], {
    improve: 'commit feature.txt better; save more.txt x',
  })
  repo.add('Add feature X', '-a')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.subjects()).toEqual([
    'Address review feedback (cycle 1)',
    'Add feature X: feature.txt',
    'Add feature X: feature.txt',
  ])
})

test('the names of the reviews carry the number of their task', () => {
  const repo = aReviewRepo(['APPROVED'])
  repo.add('one')
  const number = repo.add('two', '-a')
  expect(repo.gza('work', number).code).toBe(0)
  expect(repo.reviews()).toEqual(reviewNames(repo, '2', 1))
  expect(repo.git('status', '--porcelain')).toBe('')
})
