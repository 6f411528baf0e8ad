import { expect, test } from 'bun:test'
import { aReviewRepo, reviewNames } from './review-repo.ts'

const THREE = ['CHANGES_REQUESTED - missing input validation', 'CHANGES_REQUESTED - add rate limiting', 'APPROVED']

test('two reviews ask for changes and the third approves: what is printed, committed and kept', () => {
  const repo = aReviewRepo(THREE)
  repo.gza('add', 'Add user authentication', '--type', 'implement', '--auto-review', '--max-cycles', '3')
  expect(repo.gza('work')).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^completed: .*#1\n/),
    stdout: `Running task #1: Add user authentication
  [1/3] Implementing...
  [1/3] Implementation complete
  [1/3] Running review...
  [1/3] Review: CHANGES_REQUESTED - missing input validation
  [2/3] Improving...
  [2/3] Running review...
  [2/3] Review: CHANGES_REQUESTED - add rate limiting
  [3/3] Improving...
  [3/3] Running review...
  [3/3] Review: APPROVED
✓ Task #1 completed (APPROVED after 3 cycles)
`,
  })
  expect(repo.reviews()).toEqual(reviewNames(repo, '1', 1, 2, 3))
  expect(repo.artifacts()).toEqual(repo.reviews())
  expect(repo.reviews().map((name) => repo.review(name))).toEqual([
    '# Review 1\n\n1. missing input validation\n\n**Verdict: CHANGES_REQUESTED**\n',
    '# Review 2\n\n1. add rate limiting\n\n**Verdict: CHANGES_REQUESTED**\n',
    '# Review 3\n\n\n**Verdict: APPROVED**\n',
  ])
  expect(repo.subjects()).toEqual([
    'Address review feedback (cycle 2)',
    'Address review feedback (cycle 1)',
    'Add user authentication: feature.txt',
  ])
  expect(repo.gza('status').stdout).toBe('  ✓ 1. implement Add user authentication    completed  APPROVED (3 cycles)\n')
  const audit = repo.git('log', '--format=%s', 'refs/tasks/main').replaceAll(/task-[0-9a-f]+/g, 'ID')
  expect(audit.split('\n').slice(1, -2)).toEqual([
    'review ID cycle 3 APPROVED',
    'improve ID cycle 2',
    'review ID cycle 2 CHANGES_REQUESTED',
    'improve ID cycle 1',
    'review ID cycle 1 CHANGES_REQUESTED',
    'implement ID',
  ])
})
