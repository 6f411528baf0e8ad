import { expect, test } from 'bun:test'
import { aLoop, reviewNames } from './review-repo.ts'

/** Reviews of a loop ask for changes, those of review tasks approve. */
const ACTS = {
  review:
    'if grep -q task-1-review <<<"$output"; then judge CHANGES_REQUESTED "the last point"; else judge APPROVED; fi',
  improve: 'save feature.txt "better, $(basename "$call")"',
}

test('after MAX_CYCLES_REACHED gza improve --review answers the last review and has the result reviewed', () => {
  const stage = aLoop([], ACTS)
  stage.add('Add feature X', '-t', 'implement', '-a', '--max-cycles', '2')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.gza('improve', '1', '--review')).toMatchObject({ code: 0, stderr: '' })
  expect(stage.acted().slice(4)).toEqual(['improve task', 'review task'])
  const prompt = stage.promptOf('improve task')
  expect(prompt).toContain('# Review 2')
  expect(prompt).toContain('the last point')
  expect(stage.task('2')).toMatchObject({ type: 'improve', status: 'completed', branch: stage.task('1').branch })
  expect(stage.task('3')).toMatchObject({ type: 'review', status: 'completed', final_verdict: 'APPROVED' })
  expect(stage.inbox()).toEqual([])
  expect(stage.subjects()[0]).toBe('Improve Add feature X')
})

test('gza improve without --review leaves the review pending', () => {
  const stage = aLoop([], ACTS)
  stage.add('Add feature X', '-a', '--max-cycles', '1')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.gza('improve', '1').code).toBe(0)
  expect(stage.acted()).toEqual(['implement', 'review 1', 'improve task'])
  expect(stage.statuses()).toEqual({
    'Add feature X': 'completed',
    'Improve Add feature X': 'completed',
    'Review Add feature X': 'pending',
  })
  expect(stage.gza('work').code).toBe(0)
  expect(stage.task('3').final_verdict).toBe('APPROVED')
})

test('with auto_review configured an improvement by hand starts no loop of its own', () => {
  const stage = aLoop([], ACTS, { defaults: { auto_review: true, max_review_cycles: 1 } })
  stage.add('Add feature X')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.gza('improve', '1', '--review').code).toBe(0)
  expect(stage.acted()).toEqual(['implement', 'review 1', 'improve task', 'review task'])
})

test('gza review judges a finished task’s work as it is, and gza improve then answers that review', () => {
  const stage = aLoop([], { ...ACTS, review: 'judge CHANGES_REQUESTED "found by hand"' })
  stage.add('Add feature X', '-t', 'implement')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.gza('review', '1')).toEqual({
    code: 0,
    stderr: '',
    stdout: 'Running review task #2...\n✓ Review completed: CHANGES_REQUESTED\n',
  })
  expect(stage.gza('improve', '1').code).toBe(0)
  expect(stage.promptOf('improve task')).toContain('found by hand')
})

test('a review of 000 that is asked for with the task runs at once, and again after each improvement', () => {
  const stage = aLoop([], { ...ACTS, review: 'judge CHANGES_REQUESTED "number $(ls "$stage/calls" | wc -l)"' })
  stage.add('Add feature X', '-t', 'implement', '--review')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.acted()).toEqual(['implement', 'review task'])
  expect(stage.gza('improve', '1', '--review').code).toBe(0)
  expect(stage.promptOf('improve task')).toContain('number 2')
  expect(stage.gza('improve', '1', '--review').code).toBe(0)
  expect(stage.promptOf('improve task')).toContain('number 4')
  expect(stage.acted()).toEqual([
    ...['implement', 'review task', 'improve task', 'review task', 'improve task', 'review task'],
  ])
})

test('what has no review, is not finished or made nothing is refused', () => {
  const stage = aLoop(['APPROVED'])
  stage.add('Add feature X')
  expect(stage.gza('review', '1', '--json').stdout).toContain('"NOT_COMPLETED"')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.gza('improve', '1', '--json').stdout).toContain('"NO_REVIEW"')
  stage.add('A thought')
  stage.gza('done', '2')
  expect(stage.gza('review', '2', '--json').stdout).toContain('"NOTHING_TO_REVIEW"')
  expect(stage.withEnv({ GZA_AGENT: 'x' }).gza('improve', '1').code).toBe(1)
  expect(stage.withEnv({ GZA_AGENT: 'x' }).gza('review', '1').code).toBe(1)
})

test('the reviews of a loop stay where they are when others follow by hand', () => {
  const stage = aLoop([], ACTS)
  stage.add('Add feature X', '-a', '--max-cycles', '1')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.gza('improve', '1', '--review').code).toBe(0)
  const [loop = ''] = reviewNames(stage, '1', 1)
  expect(stage.reviews()).toContain(loop)
  expect(stage.reviews()).toHaveLength(2)
})
