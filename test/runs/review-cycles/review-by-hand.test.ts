import { expect, test } from 'bun:test'
import { withoutEnd } from '../../support/without-end.ts'
import { aReviewRepo, reviewNames } from './review-repo.ts'

/** Reviews inside a task ask for changes, those of review tasks approve. */
const ACTS = {
  review:
    'if grep -q task-1-review <<<"$output"; then judge CHANGES_REQUESTED "the last point"; else judge APPROVED; fi',
  improve: 'save feature.txt "better, $(basename "$call")"',
}

test('after MAX_CYCLES_REACHED gza improve --review answers the last review and has the result reviewed', () => {
  const repo = aReviewRepo([], ACTS)
  repo.add('Add feature X', '-t', 'implement', '-a', '--max-cycles', '2')
  expect(repo.gza('work').code).toBe(0)
  const improved = repo.gza('improve', '1', '--review')
  expect([improved.code, withoutEnd(improved.stderr)]).toEqual([0, ''])
  expect(repo.acted().slice(4)).toEqual(['improve task', 'review task'])
  const prompt = repo.promptOf('improve task')
  expect(prompt).toContain('# Review 2')
  expect(prompt).toContain('the last point')
  expect(repo.task('2')).toMatchObject({ type: 'improve', status: 'completed', branch: repo.task('1').branch })
  expect(repo.task('3')).toMatchObject({ type: 'review', status: 'completed', final_verdict: 'APPROVED' })
  expect(repo.inbox()).toEqual([])
  expect(repo.subjects()[0]).toBe('Improve Add feature X')
})

test('gza improve without --review leaves the review pending', () => {
  const repo = aReviewRepo([], ACTS)
  repo.add('Add feature X', '-a', '--max-cycles', '1')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.gza('improve', '1').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve task'])
  expect(repo.statuses()).toEqual({
    'Add feature X': 'completed',
    'Improve Add feature X': 'completed',
    'Review Add feature X': 'pending',
  })
  expect(repo.gza('work').code).toBe(0)
  expect(repo.task('3').final_verdict).toBe('APPROVED')
})

test('with auto_review configured an improvement by hand starts no review cycle of its own', () => {
  const repo = aReviewRepo([], ACTS, { defaults: { auto_review: true, max_review_cycles: 1 } })
  repo.add('Add feature X')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.gza('improve', '1', '--review').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve task', 'review task'])
})

test('gza review judges a finished task’s work as it is, and gza improve then answers that review', () => {
  const repo = aReviewRepo([], { ...ACTS, review: 'judge CHANGES_REQUESTED "found by hand"' })
  repo.add('Add feature X', '-t', 'implement')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.gza('review', '1')).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^completed: #2\n/),
    stdout: 'Running review task #2...\n✓ Review completed: CHANGES_REQUESTED\n',
  })
  expect(repo.gza('improve', '1').code).toBe(0)
  expect(repo.promptOf('improve task')).toContain('found by hand')
})

test('a review that is asked for with the task runs at once, and again after each improvement', () => {
  const repo = aReviewRepo([], { ...ACTS, review: 'judge CHANGES_REQUESTED "number $(ls "$beside/calls" | wc -l)"' })
  repo.add('Add feature X', '-t', 'implement', '--review')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review task'])
  expect(repo.gza('improve', '1', '--review').code).toBe(0)
  expect(repo.promptOf('improve task')).toContain('number 2')
  expect(repo.gza('improve', '1', '--review').code).toBe(0)
  expect(repo.promptOf('improve task')).toContain('number 4')
  expect(repo.acted()).toEqual([
    ...['implement', 'review task', 'improve task', 'review task', 'improve task', 'review task'],
  ])
})

test('what has no review, is not finished or made nothing is refused', () => {
  const repo = aReviewRepo(['APPROVED'])
  repo.add('Add feature X')
  expect(repo.gza('review', '1', '--json').stdout).toContain('"NOT_COMPLETED"')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.gza('improve', '1', '--json').stdout).toContain('"NO_REVIEW"')
  repo.add('A thought')
  repo.gza('done', '2')
  expect(repo.gza('review', '2', '--json').stdout).toContain('"NOTHING_TO_REVIEW"')
  expect(repo.withEnv({ GZA_AGENT: 'x' }).gza('improve', '1').code).toBe(1)
  expect(repo.withEnv({ GZA_AGENT: 'x' }).gza('review', '1').code).toBe(1)
})

test('the reviews of a cycle stay where they are when others follow by hand', () => {
  const repo = aReviewRepo([], ACTS)
  repo.add('Add feature X', '-a', '--max-cycles', '1')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.gza('improve', '1', '--review').code).toBe(0)
  const [loop = ''] = reviewNames(repo, '1', 1)
  expect(repo.reviews()).toContain(loop)
  expect(repo.reviews()).toHaveLength(2)
})
